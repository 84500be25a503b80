-- The word index, apart from the rows, so that repair can make it again.
-- Terms made by commonplace.text, separated by blanks; the rowid is memories.row.

CREATE VIRTUAL TABLE words USING fts5(terms, tokenize = "ascii tokenchars '._@+#/:-'");
INSERT INTO words (words, rank) VALUES ('secure-delete', 1);
CREATE VIRTUAL TABLE words_vocabulary USING fts5vocab(words, row);

-- A background of 256 texts of usual length that say nothing. BM25 learns from the texts it has
-- how rare a word is; in a book with five memories it has nothing to learn from, and without a
-- background a word that most of them share would count for nothing at all.
INSERT INTO words (rowid, terms)
WITH RECURSIVE text (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM text WHERE number < 256)
SELECT -number, '_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _' FROM text;
