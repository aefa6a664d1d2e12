"""The public Python API: joins the parts and resolves names. `callwright` itself offers what stands here.

Everything is synchronous, and works inside a running event loop (a notebook) too.
"""
