"""DICE-BENCH: group chats in which several people, round after round, get at the calls that an assistant makes.

The modules in reading order; a module imports only modules above it.

`dice_options`  what a user may choose
`published_functions`  tools: the layout of the published documents and graph
`published_links`  the published tool graph over a catalogue
`published_rounds`  `callwright read dice`: the published dialogues
`dice_formula`  DICE-SCORE from the counts of mentions (section 3)
`judge_counter`  how many parts of a call an utterance mentions, counted by a model (by rules: `measure/item_mentions`)
`heat_strip`  what `callwright show` prints beside the turns
`dice_measures`  `callwright measure --only dice-score`, for dialogues of any kind
`dice_scoring`  exact match, strict and as in the paper (section 4)
`dice_protocol`  `callwright eval --protocol dice`
`chat_filter`  tools that people talk about
`chat_things`  which things calls tell of: whether `the same file` can mean one only
`chat_design`  the cells of the design, and the edges between tools
`chat_chains`  chains of tools along edges: tools evenly, or any path alike
`chat_voices`  how each person writes
`chat_plan`  the plan of a chat: people, who knows what, calls, results and dependencies
`chat_orchestrator`  who says what next, by rules of conversation
`chat_words`  the words of each move, in the phrases of its type
`chat_grading`  stage 1 of the cascade, by rules
`chat_cascade`  the checks of finished chats
`chat_roles`  what models that play the people are sent, and what they reply
`chat_agents`  a chat whose people models play
`chat_account`  what models would be asked
`scripted_chat_author`  `builtin/author` in these roles
`dice_recipe`  `callwright synth dice`
`paper`  what the paper offers to the registry
"""
