"""ToolDial: dialogues in which one tool supplies the input that the user lacks for another.

The modules in reading order; a module imports only modules above it.

`act_grammar`  the acts of user and system, and the sequences of them that a dialogue can have (2.3, A.6)
`act_listing`  `callwright acts`: the sequences of the grammar, listed
`literal_reading`  Python literals from outside, read within bounds
`state_layout`  dialogue state and retriever status in the paper's layout (A.4)
`released_turns`  the two released layouts, as turns
`released_layout`  released dialogues read and written
`tooldial_options`  what a user of the protocol may choose
`paper`  what the paper offers to the registry
"""
