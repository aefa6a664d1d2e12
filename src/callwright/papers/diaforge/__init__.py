"""DiaFORGE: dialogues that have to tell look-alike tools apart, made, checked and evaluated on.

The modules in reading order; a module imports only modules above it.

`diaforge_options`  the options of the recipe and of both protocols
`opening_request`  the vague first request, which fits the wanted tool and another (3.1)
`question_patterns`  the patterns of English questions, which are data
`asked_values`  which values a message asks for, by any of a parameter's names (3.1)
`listening`  what a user hears in an assistant's message: values asked for, tools told apart (3.1)
`relevance`  whether a user's words do anything of what their act is for (3.1)
`optional_values`  gold values that a call may leave out: said unasked, judged once said (3.1, C.1)
`user_policy`  the live user: its hidden state, and what it does next (3.1)
`said_in_groups`  identifiers and lists that are said in groups, as they are written (4.1)
`user_phase`  which phase the user is in, as rules hear it in the words of both (3.1)
`gold_writing`  the writing steps of a plan: the goal and the gold values (3.1)
`dialogue_plan`  the plan of a dialogue: seed tool, persona, candidate pool, goal, gold values (3.1)
`dialogue_record`  the turns so far as a dialogue, with all that is noted beside them
`turn_format`  check: who speaks when, and what every turn must hold (A.2)
`final_call`  check: one call of the seed tool with exactly the gold map, or none (A.2)
`disclosure`  check: each gold value is said when it is due, and as its own parameter's (A.2)
`foreign_values`  check: nobody says a value that the scenario does not hold (A.2)
`goal_drift`  check: the user's words never mean another tool (A.2)
`speech`  check: identifiers, repetitions, machine words, the first request, who asks (A.2)
`diaforge_cascade`  all checks in their order, for a dialogue of rules and for one that models played (A.2)
`said_in_passing`  values of small talk, which none of the wanted tool's are (3.1)
`said_in_words`  gold values that are said in words or piece by piece (3.1)
`user_slips`  a wrong value that the user takes back in the next message (3.1)
`user_agent`  a model as the user: its prompt, and the rules on its words (3.1)
`wording_election`  which of several wordings of a turn is said: voters and their votes (C.3)
`speaking`  one turn of the live user: act, words, checks of the words (A.1)
`dialogue_rollout`  one dialogue: opening, tool selection, parameter filling, call, cascade (A.1)
`assistant_agent`  a model as the assistant: its prompt, its reply, and the rules on it (3.1)
`assistant_native`  the same with native calls: its reasoning is the thought
`assistant_ways`  the two ways of replying, and what the user's phase goes by in each
`said_values`  in which turn the user said each value: rules, then a checker that quotes (3.1)
`own_words`  free texts that a call words otherwise than the gold value (C.1)
`agent_rollout`  one dialogue whose roles models play (A.1)
`agent_account`  how often models are asked for one dialogue: expected and at most
`diaforge_shape`  statistics of a dataset, for its card and for `callwright measure` (figures 5 to 7, C.5)
`diaforge_recipe`  the recipe `diaforge`: its job, its reasons for rejection
`tool_metrics`  the seven tool metrics as counts of one dialogue (C.1)
`tool_scoring`  the rows of a run and the tables of its report (C.1)
`shown_pool`  the tools that the model under test sees (4.1)
`static_protocol`  the protocol with recorded user turns (4.1)
`acts_said`  what a user's words ask to be done: the wanted act, or another tool's (4.1)
`reply_words`  what a reply takes, turns down, agrees to, lacks and asks (4.1)
`question_kinds`  what an assistant's message asks for: a choice, yes or no, a wish, a value (4.1)
`said_near`  whether a text says a value, says it nearly, or says another one (4.1)
`giving_up`  words of a user who gives up (4.1)
`other_side`  an assistant's words in a user's mouth (4.1)
`said_identifiers`  names for machines that a user says (4.1)
`talk_turn`  one message of a live user with the words that it answers (4.1)
`taken_rivals`  whether a reply takes another wish than the user's (4.1)
`plain_drift`  another wish in plain words (4.1)
`turned_wish`  faults of a reply with regard to the wish (4.1)
`replaced_values`  values in a reply that are not the user's (4.1)
`asked_replies`  faults of a reply to a question for values (4.1)
`user_faults`  what a simulated user said that its scenario does not hold (4.1)
`user_guard`  what rules find in a live user's message that a model wrote (4.1)
`live_talk`  a conversation before its next message, and what rules find in words (4.1)
`certain_faults`  which findings of the rules no judge is asked about (4.1)
`message_judge`  a judge reads each message of a user that a model plays (4.1)
`hearing_user`  a live user that a model plays: it hears, answers and is guarded (4.1, C.3)
`dynamic_protocol`  the protocol with a live user (4.1, C.5)
`diaforge_runs`  runs of both protocols scored again
`scripted_roles`  `builtin/author` as user and assistant: simple rules that see the prompt alone
`scripted_author`  the paper's part of `builtin/author`: goals, gold values, votes, the two roles
`record_layout`  the published record layout, read and written
`paper`  what the paper offers to the registry
"""
