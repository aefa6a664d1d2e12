"""FnCTOD: dialogue state tracking as function calling, on real corpora, and the standard MultiWOZ evaluation.

The modules in reading order; a module imports only modules above it.

`fnctod_options`  options of the protocols
`canonical_values`  slots and values in the spelling that the standard evaluation compares
`placeholder_text`  delexicalised responses, normalised
`venue_database`  MultiWOZ's database, queried as the standard does
`active_domains`  the domain of a turn, from changes of the state
`goal_success`  Inform and Success of one dialogue
`multiwoz_layout`  goals, bookings and gold states of MultiWOZ 2.1
`recorded_outputs`  recorded outputs of systems, and their references
`multiwoz_score`  the standard evaluation of recorded outputs
`domain_functions`  services of a schema as functions, one a domain
`belief_states`  what the user wants so far, by domain and slot
`tracked_dialogues`  labelled turns as dialogues, with a call for each domain that changed
`multiwoz_reader`  `callwright read multiwoz`: versions 2.1 and 2.2
`restaurant_readers`  WOZ 2.0 and CamRest676
`woz_reader`  `callwright read woz`
`camrest_reader`  `callwright read camrest`
`annotated_turns`  turns labelled with single values, without a schema
`taskmaster_reader`  `callwright read taskmaster`
`msr_e2e_reader`  `callwright read msr-e2e`
`sgd_reader`  `callwright read sgd`
`state_updates`  how calls change a state, under a policy
`tracking_ceiling`  what right calls reach under a policy
`tracking_metrics`  joint goal accuracy and slot F1 in two modes
`tracking_turns`  the calls of a transcript beside what was due
`tracking_scoring`  the rows of a run
`call_tokens`  functions and calls in words, between special tokens
`incontext_examples`  examples of calls for the prompt
`fnctod_protocol`  the protocol: functions called after each user turn
`delexicalised`  responses with placeholders in the place of values
`tod_scoring`  the rows of end-to-end runs
`tod_protocol`  the protocol: state, database, words
`training_mix`  `callwright synth fnctod`: training dialogues from several corpora
`multiwoz_scorer`  `callwright score multiwoz`
`paper`  what the paper offers to the registry
"""
