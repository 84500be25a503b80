-- Who may come in over the network. A token's secret is never here, only its digest.

CREATE TABLE tokens (
    id         TEXT PRIMARY KEY,
    digest     BLOB NOT NULL,                 -- SHA-256 of the secret
    label      TEXT NOT NULL,
    tenant     TEXT NOT NULL,
    user       TEXT NOT NULL,
    teams      TEXT NOT NULL,                 -- JSON array
    rights     TEXT NOT NULL,                 -- JSON array
    project    TEXT,                          -- the scope that project:auto stands for
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER
) STRICT, WITHOUT ROWID;
