-- The book: rows, words, vectors and the log, in one file.
-- Times are integer milliseconds UTC. `row` is the file's own key; `number` and `id` are the tenant's.

CREATE TABLE tenants (
    tenant      TEXT PRIMARY KEY,
    last_number INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE memories (
    row           INTEGER PRIMARY KEY,
    tenant        TEXT NOT NULL,
    number        INTEGER NOT NULL,
    id            TEXT NOT NULL,
    text          TEXT NOT NULL,
    scope         TEXT NOT NULL,
    created_at    INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL,
    owner         TEXT NOT NULL,
    kind          TEXT NOT NULL,
    memory_type   TEXT,
    tags          TEXT NOT NULL,               -- JSON array, in the order given
    category      TEXT,
    topic         TEXT,
    importance    REAL NOT NULL,
    confidence    REAL NOT NULL,
    priority      INTEGER NOT NULL,
    pinned        INTEGER NOT NULL,
    source        TEXT,
    surface       TEXT NOT NULL,
    actor         TEXT NOT NULL,
    capture_mode  TEXT,
    session       TEXT,
    origin        TEXT NOT NULL,
    standing      TEXT NOT NULL,
    status        TEXT NOT NULL,
    status_at     INTEGER,
    status_reason TEXT,
    successor     TEXT,
    confirmed_at  INTEGER,
    expires_at    INTEGER,
    valid_from    INTEGER,
    valid_to      INTEGER,
    revision      INTEGER NOT NULL,
    recorded_at   INTEGER NOT NULL,            -- when this revision was written to this book
    text_key      INTEGER NOT NULL,            -- digest of the folded text, to find exact repeats
    hash          BLOB NOT NULL,               -- content hash of the row, checked by doctor
    UNIQUE (tenant, number),
    UNIQUE (tenant, id)
) STRICT;

CREATE INDEX memories_by_text ON memories (tenant, text_key);
CREATE INDEX memories_by_scope ON memories (tenant, scope, number);
CREATE INDEX memories_by_topic ON memories (tenant, topic) WHERE topic IS NOT NULL;
CREATE INDEX memories_by_session ON memories (tenant, session, number) WHERE session IS NOT NULL;

CREATE TABLE tags (
    tenant TEXT NOT NULL,
    tag    TEXT NOT NULL,
    row    INTEGER NOT NULL,
    PRIMARY KEY (tenant, tag, row)
) STRICT, WITHOUT ROWID;
CREATE INDEX tags_by_row ON tags (row);

-- What a memory was before: one line for each past revision, erased with it.
CREATE TABLE revisions (
    tenant      TEXT NOT NULL,
    row         INTEGER NOT NULL,
    revision    INTEGER NOT NULL,
    recorded_at INTEGER NOT NULL,
    state       TEXT NOT NULL,                 -- canonical JSON
    hash        BLOB NOT NULL,
    UNIQUE (row, revision)
) STRICT;

CREATE TABLE sketches (
    tenant TEXT NOT NULL,
    scope  TEXT NOT NULL,
    key    INTEGER NOT NULL,
    row    INTEGER NOT NULL,
    PRIMARY KEY (tenant, scope, key, row)
) STRICT, WITHOUT ROWID;
CREATE INDEX sketches_by_row ON sketches (row);

CREATE TABLE spaces (
    space      INTEGER PRIMARY KEY,
    name       TEXT NOT NULL UNIQUE,
    dimensions INTEGER NOT NULL
) STRICT;

CREATE TABLE vectors (
    tenant TEXT NOT NULL,
    space  INTEGER NOT NULL REFERENCES spaces,
    row    INTEGER NOT NULL,
    vector BLOB NOT NULL,                      -- float16, little-endian, unit length
    UNIQUE (row, space)
) STRICT;

-- By which the vector caches of every process follow what happens here: one line for each memory
-- whose vector, scope or status changed, its sequence growing with every change.
CREATE TABLE changes (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant   TEXT NOT NULL,
    number   INTEGER NOT NULL,
    UNIQUE (tenant, number)
) STRICT;

-- A new random number whenever the whole book is replaced, so that no cache outlives it.
CREATE TABLE epoch (
    number   INTEGER NOT NULL,
    erasures INTEGER NOT NULL                  -- counts the times that traces were erased
) STRICT;
INSERT INTO epoch VALUES (random(), 0);

CREATE TABLE uses (
    row             INTEGER PRIMARY KEY,
    tenant          TEXT NOT NULL,
    count           INTEGER NOT NULL,
    used_at         INTEGER NOT NULL,
    surface         TEXT NOT NULL,
    base_confidence REAL
) STRICT;

CREATE TABLE relations (
    tenant     TEXT NOT NULL,
    id         TEXT NOT NULL,
    source     TEXT NOT NULL,
    target     TEXT NOT NULL,
    kind       TEXT NOT NULL,
    reason     TEXT,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX relations_by_source ON relations (tenant, source);
CREATE INDEX relations_by_target ON relations (tenant, target);

-- The audit: ids and kinds, never content.
CREATE TABLE events (
    sequence  INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant    TEXT NOT NULL,
    id        TEXT NOT NULL,
    type      TEXT NOT NULL,
    memory_id TEXT,
    actor     TEXT NOT NULL,
    at        INTEGER NOT NULL,
    payload   TEXT NOT NULL
) STRICT;
CREATE INDEX events_by_memory ON events (tenant, memory_id);

CREATE TABLE keys (
    tenant  TEXT NOT NULL,
    user    TEXT NOT NULL,
    key     TEXT NOT NULL,
    digest  BLOB NOT NULL,
    ids     TEXT NOT NULL,
    kept_at INTEGER NOT NULL,
    PRIMARY KEY (tenant, user, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX keys_by_age ON keys (kept_at);
