"""The book as a whole: examined, copied, moved, emptied."""
