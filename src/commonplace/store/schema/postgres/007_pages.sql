-- A page of what is newest, of what was changed last, or of what waits for a person is read from its beginning, scope by
-- scope, however many memories there are.

SET LOCAL search_path = commonplace, public, extensions;

CREATE INDEX memories_newest ON memories (tenant, scope, created_at, number);
CREATE INDEX memories_changed ON memories (tenant, scope, updated_at, number);
CREATE INDEX memories_waiting ON memories (tenant, scope, created_at, number)
    WHERE (origin NOT IN ('typed', 'confirmed', 'agent', 'heard')
    OR origin = 'agent' AND (pinned OR kind = 'instruction' OR coalesce(memory_type, '') = 'instruction'));
