"""Files and texts in chunks, and what memories rest on."""
