"""Callwright: multi-turn tool-calling dialogues over your own tools, made, checked, measured and evaluated."""

__version__ = "0.1.0"
