"""A small document of each layout that tools are read from."""

from __future__ import annotations

import json
from typing import Any

SLOT = {"name": "city", "description": "Where.", "is_categorical": True, "possible_values": ["Ely", "Wells"]}
ENDPOINT = {
    "category_name": "Data",
    "tool_name": "Maps",
    "api_name": "Find place",
    "api_description": "Finds a place.",
    "required_parameters": [{"name": "q", "type": "STRING", "description": "What.", "default": "Ely"}],
    "optional_parameters": [{"name": "n", "type": "NUMBER", "description": "", "default": "5"}],
    "method": "GET",
    "template_response": {"places": [{"name": "str", "_list_length": 2}]},
}
NODE = {"id": "find_place", "desc": "Finds a place.", "parameters": [{"name": "q", "type": "string", "desc": "What."}]}
OPERATION = {"operationId": "findPlace", "parameters": [{"name": "q", "in": "query", "schema": {"type": "string"}}]}
EXAMPLES: dict[str, Any] = {
    "toolbench": [{"query_id": 1, "query": "?", "api_list": [ENDPOINT]}],
    "toolalpaca": [
        {
            "Name": "Maps",
            "Category": "Geo",
            "Documentation": json.dumps({"openapi": "3.0.0", "paths": {"/find": {"get": OPERATION}}}),
            "Function_Description": {"findPlace": "Finds a place.", "components": ""},
        }
    ],
    "taskbench": {
        "nodes": [NODE, {"id": "Image Search", "desc": "", "input-type": ["text"], "output-type": ["image"]}]
    },
    "dice": {
        "functions": [
            {"function": "find_place", "desc": "", "parameters": NODE["parameters"], "return": {"place": "string"}}
        ]
    },
    "sgd": [
        {
            "service_name": "Maps_1",
            "description": "",
            "slots": [SLOT],
            "intents": [
                {
                    "name": "FindPlace",
                    "description": "Finds a place.",
                    "is_transactional": False,
                    "required_slots": [],
                    "optional_slots": {"city": "dontcare"},
                    "result_slots": ["city"],
                }
            ],
        }
    ],
    "bfcl": [
        {
            "id": "simple_0",
            "question": [[{"role": "user", "content": "?"}]],
            "function": [{"name": "geo.find", "parameters": {"type": "dict", "properties": {"q": {"type": "any"}}}}],
        }
    ],
    "jsonschema": {"title": "FindPlace", "type": "object", "properties": {"q": {"type": "string"}}},
    "openapi": {"openapi": "3.0.0", "paths": {"/find": {"get": OPERATION}}},
    "functions": [{"name": "find_place", "parameters": {"type": "object", "properties": {"q": {"type": "string"}}}}],
    "wild": [[{"name": "find_place", "parameters": {"type": "object", "properties": {"q": {"type": "string"}}}}]],
    "anthropic": [{"name": "find_place", "input_schema": {"type": "object", "properties": {"q": {"type": "string"}}}}],
    "mcp": {"tools": [{"name": "find_place", "inputSchema": {"type": "object", "properties": {"q": {}}}}]},
}
