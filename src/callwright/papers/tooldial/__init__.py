"""ToolDial: dialogues in which one tool supplies the input that the user lacks for another.

The modules in reading order; a module imports only modules above it.

`act_grammar`  the acts of user and system, the sequences of them that a dialogue can have, `callwright acts` (2.3, A.6)
`state_layout`  dialogue state and retriever status in the paper's layout (A.4)
`released_turns`  the two released layouts, as turns
`released_layout`  released dialogues read and written
`tooldial_options`  what a user of recipe and protocol may choose
`prediction_points`  what is predicted of a dialogue: states, acts, or the response
`state_matching`  predicted states and acts compared with gold ones; error classes (A.9)
`value_origins`  where values come from: the kinds of value error (A.9)
`recomputed_states`  states computed again from the turns, and the check that compares them
`history_text`  the dialogue up to a point, with the labels that a history shows
`prediction_prompts`  what the model is told and asked
`ruled_predictions`  `builtin/retriever`: labels by rules
`tooldial_scoring`  the metrics of a run, and its rows
`tooldial_protocol`  the protocol: one reply to each prediction
`explained_predictions`  the predictions of one dialogue explained
`tooldial_runs`  runs scored again, and explained
`sequence_shapes`  what an act sequence asks of its tools, and which values are told when (3.2, A.5)
`intent_queries`  wishes: clear ones, less clear ones and topics
`banded_retriever`  the retriever, its thresholds fitted to the encoder (A.4)
`scenario_states`  states and retriever status of every turn, before any text (3.3, A.4)
`scenario_plan`  planning: sequences in turn, tools that go through them, queries in their bands
`tooldial_briefs`  what each turn is about
`tooldial_words`  the words, offline
`tooldial_cascade`  checks: acts, calls, states, words
`tooldial_rollout`  the words of each planned turn
`turn_roles`  what the roles of models are sent for a turn, and what they reply (A.8)
`turn_checks`  rules on a turn that a model wrote
`tool_results`  the results of calls where a model plays the tools
`tooldial_agents`  a dialogue whose turns models write, and what they are asked
`scripted_dialogue_author`  `builtin/author` in these roles
`tooldial_recipe`  the recipe and its card
`paper`  what the paper offers to the registry
"""
