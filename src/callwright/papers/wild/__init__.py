"""WildToolBench: sessions of several tasks over one list of tools; how they are planned, worded, checked and scored.

Modules in reading order, which is that of the paper. A module imports only modules listed before it.

Structure of a session:

    `session_design`      kinds, transitions, topologies and hidings in exact proportions (sections 3.3 to 3.5)

Tools:

    `request_gloss`       a tool as a short phrase that people ask with (3.2)
    `tool_pool`           the tools of one list: whose results feed which others, and which look alike (3.2)

Tasks:

    `task_briefs`         the content of each turn before it has words: wishes, references, results (3.1, 3.4)
    `session_memory`      every value said or returned so far, and where a later task may hide one (3.4)
    `gold_calls`          planned calls and tasks, and where each value comes from (3.2, 3.3)
    `task_builder`        drawn values, results, hidden values and repeated wishes (3.2, 3.4)
    `one_call_tasks`      tasks of one call, and tasks that lack a value (3.1, 3.4)
    `multi_tasks`         parallel, sequential and mixed tasks of several calls (3.3)
    `chat_tasks`          questions that need no call (3.1)

Extras (not in the paper):

    `tool_failures`       tools that fail, and the right reaction
    `session_extras`      forbidden calls and changed values, and all extras of one session

The plan:

    `session_plan`        tool list, persona and all gold truth of a session (3.2)

Words:

    `value_phrases`       values said, referred to, in a phrase, or noted (3.4)
    `request_phrases`     a wish as a phrase (3.4)
    `user_words`          the user's turns (3.2, 3.4)
    `assistant_words`     the assistant's turns (3.2)

Checks and rollout:

    `wild_cascade`        the checks of a finished session (3.4, appendix C)
    `session_rollout`     the words of each turn, rewritten until they say exactly what the plan says (3.2)
    `wild_recipe`         the recipe `wild`
"""
