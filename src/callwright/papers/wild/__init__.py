"""WildToolBench: sessions of several tasks over one list of tools; how they are planned, worded, checked and scored.

All modules of the folder in reading order, which is that of the paper. A module imports only modules listed before it.

    `paper`                     what the folder offers, and the options of the recipe and of the protocol

Structure of a session (sections 3.3 to 3.5):

    `session_design`            kinds, transitions, topologies and hidings in exact proportions

Tools and tasks (sections 3.1 to 3.4):

    `task_briefs`               the content of each turn before it has words: wishes, references, results
    `ending_acts`               acts that end a thing, and acts that have no sense for a new one (3.2)
    `session_memory`            every value said or returned so far, and where a later task may hide one (3.4)
    `tool_pool`                 the tools of one list, which look alike, and which people ask for in turn (3.2, 3.3)
    `said_choices`              choices that are said as the act, or not at all (3.2)
    `gold_calls`                planned calls and tasks, and where each value comes from (3.2, 3.3)
    `task_builder`              drawn values, results, hidden values and repeated wishes (3.2, 3.4)
    `one_call_tasks`            tasks of one call, and tasks that lack a value (3.1, 3.4)
    `multi_tasks`               parallel, sequential and mixed tasks of several calls (3.3)
    `chat_tasks`                casual talk that needs no call (3.1)

Extras (not in the paper):

    `session_extras`            tools that fail, forbidden calls and changed values, and all extras of one session

The plan (section 3.2):

    `session_plan`              tool list, persona and all gold truth of a session

Words (sections 3.2 and 3.4):

    `woven_values`              values that stand in the phrase of a wish, as people say them
    `request_phrases`           a wish as a phrase, and notes of its other values
    `user_words`                the user's turns: requests, changes, chats
    `bare_facts`                what a result tells where no field of the thing looked up is worth telling
    `assistant_words`           the assistant's turns

Checks and rollout (sections 3.2 and 3.4, appendix C):

    `wild_cascade`              the checks of a finished session
    `session_rollout`           the words of each turn, rewritten until they say exactly what the plan says
    `task_verdict`              calls against the call graph: right, or the class of the first error (3.3, 4.5, table 4)

Sessions of models (section 3.2, appendix C, figures 9 to 16):

    `said_answers`              what a user says when asked for what a request lacks
    `untold_values`             values of a call or a closing that nobody has told
    `session_roles`             what each role is sent, and what it replies
    `session_rules`             what rules find in what the roles say, call and return
    `gold_fulfilment`           an annotation and a trajectory brought together: gold calls, verdict, what is hidden
    `native_moves`              an assistant that calls natively: its reasoning is the thought
    `move_ways`                 the two ways in which the assistant replies
    `session_agents`            a session whose roles models play
    `session_account`           how often a session asks models
    `scripted_session_author`   `builtin/author` in these roles
    `scripted_native_moves`     the same as an assistant that calls natively
    `wild_recipe`               the recipe `wild` and its card (3.6, figure 5)

Evaluation and scoring (sections 3.3 and 4):

    `wild_scoring`              metrics with their headings and rows (3.3, 4, tables 2 to 4)
    `wild_protocol`             the rollout of a model over gold history (3.1, 4)
    `task_view`                 one task of a run explained, as data and for a terminal
    `wild_runs`                 `callwright score` and `callwright explain` for runs of `wild`

Published files (section 3.2):

    `published_tools`           tool lists
    `published_layout`          sessions with their answer nodes, for `callwright read wild`
    `published_records`         sessions in that layout, for `callwright export --format wild`
"""
