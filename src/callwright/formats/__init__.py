"""Public formats, one file each with paired `read` and `write`; `layouts` detects the format."""
