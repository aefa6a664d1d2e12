"""ToolDial: dialogues in which one tool supplies the input that the user lacks for another.

The modules in reading order; a module imports only modules above it.

`act_grammar`  the acts of user and system, and the sequences of them that a dialogue can have (2.3, A.6)
`act_listing`  `callwright acts`: the sequences of the grammar, listed
`literal_reading`  Python literals from outside, read within bounds
`state_layout`  dialogue state and retriever status in the paper's layout (A.4)
`released_turns`  the two released layouts, as turns
`released_layout`  released dialogues read and written
`tooldial_options`  what a user of the protocol may choose
`prediction_points`  what is predicted of a dialogue: states, acts, or the response
`state_matching`  predicted states and acts compared with gold ones; error classes (A.9)
`value_origins`  where values come from: the kinds of value error (A.9)
`recomputed_states`  states computed again from the turns, and the check that compares them
`history_text`  the dialogue up to a point, with the labels that a history shows
`prediction_prompts`  what the model is told and asked
`tooldial_scoring`  the metrics of a run, and its rows
`tooldial_protocol`  the protocol: one reply to each prediction
`prediction_view`  the predictions of one dialogue explained
`tooldial_runs`  runs scored again, and explained
`paper`  what the paper offers to the registry
"""
