-- Vectors of what recall looks through beside the memories: decisions, conversations with their turns, and the chunks
-- of documents. An entry whose words or place change loses its vectors, and one that goes takes them along: the rows
-- see to that themselves, so that nothing that removes an entry can leave its vector behind.

CREATE TABLE entry_vectors (
    tenant TEXT NOT NULL,
    scope  TEXT NOT NULL,
    shelf  TEXT NOT NULL,
    space  INTEGER NOT NULL REFERENCES spaces,
    row    INTEGER NOT NULL,
    vector BLOB NOT NULL,                      -- float16, little-endian, unit length
    UNIQUE (row, space)
) STRICT;

-- How many entries a scope has on each of these shelves (space 0), and how many of them have a vector in a space.
CREATE TABLE entry_counts (
    tenant  TEXT NOT NULL,
    scope   TEXT NOT NULL,
    shelf   TEXT NOT NULL,
    space   INTEGER NOT NULL,
    entries INTEGER NOT NULL,
    PRIMARY KEY (tenant, scope, shelf, space)
) STRICT, WITHOUT ROWID;
INSERT INTO entry_counts SELECT tenant, scope, shelf, 0, count(*) FROM entries
    WHERE text <> '' AND shelf IN ('decision', 'session', 'turn', 'chunks') GROUP BY tenant, scope, shelf;

-- By which the caches of these vectors follow what happens here, as `changes` is for the memories.
CREATE TABLE entry_changes (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant   TEXT NOT NULL,
    row      INTEGER NOT NULL,
    UNIQUE (tenant, row)
) STRICT;

CREATE VIRTUAL TABLE entry_vocabulary USING fts5vocab(entry_words, row);

CREATE TRIGGER entries_added AFTER INSERT ON entries
WHEN new.text <> '' AND new.shelf IN ('decision', 'session', 'turn', 'chunks') BEGIN
    INSERT INTO entry_counts VALUES (new.tenant, new.scope, new.shelf, 0, 1)
        ON CONFLICT DO UPDATE SET entries = entries + 1;
END;
CREATE TRIGGER entries_removed AFTER DELETE ON entries
WHEN old.text <> '' AND old.shelf IN ('decision', 'session', 'turn', 'chunks') BEGIN
    DELETE FROM entry_vectors WHERE row = old.row;
    UPDATE entry_counts SET entries = entries - 1
        WHERE tenant = old.tenant AND scope = old.scope AND shelf = old.shelf AND space = 0;
    DELETE FROM entry_counts
        WHERE tenant = old.tenant AND scope = old.scope AND shelf = old.shelf AND space = 0 AND entries < 1;
END;
CREATE TRIGGER entries_reworded AFTER UPDATE OF scope, text ON entries
WHEN old.shelf IN ('decision', 'session', 'turn', 'chunks') AND (old.scope, old.text) IS NOT (new.scope, new.text) BEGIN
    DELETE FROM entry_vectors WHERE row = old.row;
    UPDATE entry_counts SET entries = entries - 1
        WHERE tenant = old.tenant AND scope = old.scope AND shelf = old.shelf AND space = 0 AND old.text <> '';
    DELETE FROM entry_counts
        WHERE tenant = old.tenant AND scope = old.scope AND shelf = old.shelf AND space = 0 AND entries < 1;
    INSERT INTO entry_counts SELECT new.tenant, new.scope, new.shelf, 0, 1 WHERE new.text <> ''
        ON CONFLICT DO UPDATE SET entries = entries + 1;
END;

CREATE TRIGGER entry_vectors_added AFTER INSERT ON entry_vectors BEGIN
    INSERT INTO entry_counts VALUES (new.tenant, new.scope, new.shelf, new.space, 1)
        ON CONFLICT DO UPDATE SET entries = entries + 1;
    DELETE FROM entry_changes WHERE tenant = new.tenant AND row = new.row;
    INSERT INTO entry_changes (tenant, row) VALUES (new.tenant, new.row);
END;
CREATE TRIGGER entry_vectors_changed AFTER UPDATE ON entry_vectors BEGIN
    DELETE FROM entry_changes WHERE tenant = new.tenant AND row = new.row;
    INSERT INTO entry_changes (tenant, row) VALUES (new.tenant, new.row);
END;
CREATE TRIGGER entry_vectors_removed AFTER DELETE ON entry_vectors BEGIN
    UPDATE entry_counts SET entries = entries - 1
        WHERE tenant = old.tenant AND scope = old.scope AND shelf = old.shelf AND space = old.space;
    DELETE FROM entry_counts
        WHERE tenant = old.tenant AND scope = old.scope AND shelf = old.shelf AND space = old.space AND entries < 1;
    DELETE FROM entry_changes WHERE tenant = old.tenant AND row = old.row;
    INSERT INTO entry_changes (tenant, row) VALUES (old.tenant, old.row);
END;
