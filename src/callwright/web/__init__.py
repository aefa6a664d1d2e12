"""The `builtin/` models over HTTP, with OpenAI's chat-completions API and faults on demand.

    request body ──openai_wire──▶ ChatRequest ──model──▶ ChatReply ──reply_document──▶ body ──delivery──▶ client

`serve` joins these parts; `call_tally` counts requests, replies and faults.
"""
