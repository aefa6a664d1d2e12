"""FnCTOD: dialogue state tracking as function calling, on real corpora, and the standard MultiWOZ evaluation.

The modules in reading order; a module imports only modules above it.

`canonical_values`  slots and values in the spelling that the standard evaluation compares
`placeholder_text`  delexicalised responses, normalised
`venue_database`  MultiWOZ's database, queried as the standard does
`lexical_richness`  lengths, distinct n-grams, entropies, type-token ratio
`corpus_bleu`  BLEU over a corpus
`active_domains`  the domain of a turn, from changes of the state
`goal_success`  Inform and Success of one dialogue
`multiwoz_layout`  goals, bookings and gold states of MultiWOZ 2.1
`recorded_outputs`  recorded outputs of systems, and their references
`multiwoz_score`  the standard evaluation of recorded outputs
`multiwoz_scorer`  `callwright score multiwoz`
`paper`  what the paper offers to the registry
"""
