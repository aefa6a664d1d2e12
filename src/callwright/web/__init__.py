"""The `builtin/` models over HTTP, with OpenAI's chat-completions API and faults on demand.

A body goes through `openai_wire`, the model, `reply_document` and `delivery`; `serve` joins these, `call_tally` counts.
"""
