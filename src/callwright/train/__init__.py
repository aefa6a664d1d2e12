"""Training data: dialogues cut into samples, written for trainers, and checked against chat templates."""
