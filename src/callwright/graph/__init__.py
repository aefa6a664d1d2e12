"""Tool graphs: which tools can follow which, counted."""
