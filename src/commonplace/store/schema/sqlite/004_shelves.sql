-- What is kept beside memories: evidence, documents and their chunks, decisions, sessions and their turns,
-- teams, corrections, dreams. A shelf has a name; its entries are looked up by id, parent, state, time and words.

CREATE TABLE entries (
    row    INTEGER PRIMARY KEY,
    tenant TEXT NOT NULL,
    shelf  TEXT NOT NULL,
    id     TEXT NOT NULL,
    scope  TEXT NOT NULL,
    parent TEXT,
    state  TEXT NOT NULL,
    at     INTEGER NOT NULL,
    text   TEXT NOT NULL,                     -- what it can be found by
    body   TEXT NOT NULL,                     -- canonical JSON
    hash   BLOB NOT NULL,                     -- of all of it, checked by doctor
    UNIQUE (tenant, shelf, id)
) STRICT;
CREATE INDEX entries_by_time ON entries (tenant, shelf, at, id);
CREATE INDEX entries_by_parent ON entries (tenant, parent, shelf, at, id) WHERE parent IS NOT NULL;

-- Numbers that are given out once each, whatever is removed later: DEC-001, DEC-002, …
CREATE TABLE sequences (
    tenant TEXT NOT NULL,
    name   TEXT NOT NULL,
    last   INTEGER NOT NULL,
    PRIMARY KEY (tenant, name)
) STRICT, WITHOUT ROWID;
