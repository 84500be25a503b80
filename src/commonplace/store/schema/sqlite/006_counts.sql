-- How many memories of each status a scope has, kept by the rows themselves, so that to tell how many there are
-- costs the same in a large book as in a small one. What may have expired and what is pinned are few: by an index.

CREATE TABLE counts (
    tenant   TEXT NOT NULL,
    scope    TEXT NOT NULL,
    status   TEXT NOT NULL,
    memories INTEGER NOT NULL,
    PRIMARY KEY (tenant, scope, status)
) STRICT, WITHOUT ROWID;
INSERT INTO counts SELECT tenant, scope, status, count(*) FROM memories GROUP BY tenant, scope, status;

CREATE TRIGGER memories_added AFTER INSERT ON memories BEGIN
    INSERT INTO counts VALUES (new.tenant, new.scope, new.status, 1)
        ON CONFLICT DO UPDATE SET memories = memories + 1;
END;
CREATE TRIGGER memories_removed AFTER DELETE ON memories BEGIN
    UPDATE counts SET memories = memories - 1
        WHERE tenant = old.tenant AND scope = old.scope AND status = old.status;
    DELETE FROM counts WHERE tenant = old.tenant AND scope = old.scope AND status = old.status AND memories < 1;
END;
CREATE TRIGGER memories_moved AFTER UPDATE OF tenant, scope, status ON memories
WHEN (old.tenant, old.scope, old.status) IS NOT (new.tenant, new.scope, new.status) BEGIN
    UPDATE counts SET memories = memories - 1
        WHERE tenant = old.tenant AND scope = old.scope AND status = old.status;
    DELETE FROM counts WHERE tenant = old.tenant AND scope = old.scope AND status = old.status AND memories < 1;
    INSERT INTO counts VALUES (new.tenant, new.scope, new.status, 1)
        ON CONFLICT DO UPDATE SET memories = memories + 1;
END;

CREATE INDEX memories_by_expiry ON memories (tenant, scope, expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX memories_pinned ON memories (tenant, scope) WHERE pinned = 1;
