"""WildToolBench: sessions of several tasks over one list of tools; how they are made, checked, tried and scored.

All modules of the folder in reading order, which is that of the paper. A module imports only modules listed before it.

    `paper`                     what the folder offers: recipe, protocol, layout, prompts, part of `builtin/author`

    `wild_options`              the options of the recipe and of the protocol

Structure of a session (sections 3.1 and 3.5):

    `session_design`            kinds, transitions, topologies and hidings in exact proportions (3.5, 3.6)
    `task_briefs`               the content of each turn before it has words: wishes, references, answers (3.1)
    `session_memory`            every value said or returned so far, and where a later task may hide one (3.4)

Tools and tasks (section 3.2):

    `request_gloss`             a tool's description as a short phrase that people ask with
    `tool_pool`                 one list of tools: which outputs feed which inputs, which tools look alike
    `stand_ins`                 which tool can replace another one
    `gold_calls`                planned calls, and where each of their values comes from
    `task_builder`              tasks of one call, or of one call made several times

Phrases of a wish (section 3.4):

    `value_phrases`             values in words, said or referred to
    `object_phrases`            the object of the wish with its values
    `adjuncts`                  values around the object
    `request_phrases`           the whole wish

Compositional tasks (section 3.3):

    `topology_shapes`           parallel, sequential and mixed calls
    `join_tasks`                a call that needs the results of several others
    `multi_tasks`               tasks of several calls

Other kinds of tasks (section 3.5):

    `clarify_tasks`             tasks that lack a value
    `chat_topics`               small talk near the theme of a tool
    `chat_tasks`                tasks that need no tool

Extras (not in the paper):

    `tool_failures`             tools that fail, and the right reaction
    `value_changes`             values that the user changes in the middle of a task
    `session_extras`            forbidden calls, tool failures and changed values in one session

Sessions in words and their checks (sections 3.2 and 3.4):

    `session_plan`              the whole plan of a session before its first word
    `task_outcomes`             what the assistant may tell about a result
    `user_words`                the user's turns
    `assistant_words`           the assistant's turns
    `scripted_session_author`   the answers of `builtin/author` to the prompts of a session
    `change_checks`             checks of changed values
    `call_checks`               checks of the calls
    `hidden_place_checks`       checks of what is said, hidden and missing (3.4)
    `word_checks`               checks of the wording
    `wild_cascade`              all checks of a finished session, in their order
    `session_rollout`           one session from its plan to its checks (3.2)
    `session_shape`             statistics of a dataset for its card (3.6, figure 5)
    `wild_recipe`               the recipe `wild`

Evaluation and scoring (sections 3.3 and 4):

    `call_matching`             calls against the call graph of a task (3.3)
    `task_verdict`              right, or the class of the first error (4.5, table 4)
    `judged_words`              judges' verdicts on questions and answers (not in the paper)
    `wild_scoring`              metrics with their headings and rows (3.3, 4, tables 2 to 4)
    `wild_protocol`             the rollout of a model over gold history (3.1, 4)
    `task_view`                 one task of a run explained, as data and for a terminal
    `wild_scorer`               `callwright score` for runs of `wild`
    `wild_explainer`            `callwright explain` for runs of `wild`

Published files (section 3.2):

    `published_tools`           tool lists
    `published_layout`          sessions with their answer nodes
    `wild_reader`               `callwright read wild`
"""
