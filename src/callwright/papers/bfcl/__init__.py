"""The Berkeley Function-Calling Leaderboard (BFCL, version 4): its questions, its verdicts, and its protocol.

The modules in reading order; a module imports only modules above it.

`bfcl_options`  the options of the protocol
`question_tools`  the tools that published questions offer
`question_layout`  published single-turn questions with their answers, and recorded outputs
`call_errors`  classes of errors, and the checks of one call that both modes share
`question_dialogues`  single-turn questions as dialogues
`multi_turn_layout`  published multi-turn questions as dialogues
`official_verdict`  mode `official`: the leaderboard's verdict on one call
`strict_verdict`  mode `strict`: the verdict by JSON Schema's types and equality by value
`result_scoring`  the verdict on all calls of a reply, and the score of recorded outputs
`transcript_scoring`  the rows of a run: accuracy, its ceiling, shares of error classes
`bfcl_protocol`  the protocol: one reply to each single-turn question
`bfcl_reader`  `callwright read bfcl`
`bfcl_scorer`  `callwright score` for runs on BFCL and recorded outputs
`paper`  what the paper offers to the registry
"""
