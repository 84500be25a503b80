-- The word index of the shelves, apart from the entries, so that repair can make it again.

CREATE VIRTUAL TABLE entry_words USING fts5(terms, tokenize = "ascii tokenchars '._@+#/:-'");
INSERT INTO entry_words (entry_words, rank) VALUES ('secure-delete', 1);
