"""The `builtin/` models over HTTP, in the chat-completions protocol of OpenAI, with faults on demand.

    request body ──protocol──▶ ChatRequest ──model──▶ ChatReply ──completion──▶ body or events
                                                          faults ──────▶ │ ──delivery──▶ client

`serve` joins them; `tally` counts what happened.
"""
