-- Who may come in over the network. A token's secret is never here, only its digest. Tokens belong to no
-- tenant, so they are there only for a transaction that names none: a tenant's own sees no token at all.

CREATE TABLE commonplace.tokens (
    id         text COLLATE "C" PRIMARY KEY,
    digest     bytea NOT NULL,                   -- SHA-256 of the secret
    label      text COLLATE "C" NOT NULL,
    tenant     text COLLATE "C" NOT NULL,
    owner      text COLLATE "C" NOT NULL,
    teams      text COLLATE "C" NOT NULL,        -- JSON array
    rights     text COLLATE "C" NOT NULL,        -- JSON array
    project    text COLLATE "C",                 -- the scope that project:auto stands for
    created_at bigint NOT NULL,
    expires_at bigint,
    revoked_at bigint
);

GRANT SELECT, INSERT, UPDATE ON commonplace.tokens TO commonplace_app;
ALTER TABLE commonplace.tokens ENABLE ROW LEVEL SECURITY;
ALTER TABLE commonplace.tokens FORCE ROW LEVEL SECURITY;
CREATE POLICY of_no_tenant ON commonplace.tokens TO commonplace_app
    USING (coalesce(current_setting('commonplace.tenant', true), '') = '')
    WITH CHECK (coalesce(current_setting('commonplace.tenant', true), '') = '');
