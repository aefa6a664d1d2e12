"""The public Python API, which `callwright` offers; synchronous, also inside a running event loop (a notebook)."""
