"""The `builtin/` models over HTTP, with OpenAI's chat-completions API and faults on demand.

    request body ──protocol──▶ ChatRequest ──model──▶ ChatReply ──completion──▶ body or events
                                                          faults ──────▶ │ ──delivery──▶ client

`serve` joins these parts; `tally` counts requests, replies and faults.
"""
