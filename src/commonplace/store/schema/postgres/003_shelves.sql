-- What is kept beside memories: evidence, documents and their chunks, decisions, sessions and their turns,
-- teams, corrections, dreams. A shelf has a name; its entries are looked up by id, parent, state, time and words.

SET LOCAL search_path = commonplace, public, extensions;

CREATE TABLE entries (
    tenant text COLLATE "C" NOT NULL,
    shelf  text COLLATE "C" NOT NULL,
    id     text COLLATE "C" NOT NULL,
    scope  text COLLATE "C" NOT NULL,
    parent text COLLATE "C",
    state  text COLLATE "C" NOT NULL,
    at     bigint NOT NULL,
    text   text COLLATE "C" NOT NULL,            -- what it can be found by
    body   text COLLATE "C" NOT NULL,            -- canonical JSON
    hash   bytea NOT NULL,                       -- of all of it, checked by doctor
    length integer NOT NULL,                     -- how many words it has in the index
    PRIMARY KEY (tenant, shelf, id)
) PARTITION BY HASH (tenant);
CREATE INDEX entries_by_time ON entries (tenant, shelf, at, id);
CREATE INDEX entries_by_parent ON entries (tenant, parent, shelf, at, id) WHERE parent IS NOT NULL;

CREATE TABLE entry_postings (
    tenant text COLLATE "C" NOT NULL,
    term   text COLLATE "C" NOT NULL,
    shelf  text COLLATE "C" NOT NULL,
    id     text COLLATE "C" NOT NULL,
    count  integer NOT NULL,
    length integer NOT NULL,
    PRIMARY KEY (tenant, term, shelf, id) INCLUDE (count, length)
) PARTITION BY HASH (tenant);
CREATE INDEX entry_postings_by_entry ON entry_postings (tenant, shelf, id);

-- Numbers that are given out once each, whatever is removed later: DEC-001, DEC-002, …
CREATE TABLE sequences (
    tenant text COLLATE "C" NOT NULL,
    name   text COLLATE "C" NOT NULL,
    last   bigint NOT NULL,
    PRIMARY KEY (tenant, name)
);

ALTER TABLE tenants
    ADD COLUMN entries bigint NOT NULL DEFAULT 0,   -- how many have words, and how many words, as of memories
    ADD COLUMN entry_length bigint NOT NULL DEFAULT 0;

DO $$
DECLARE
    parent text;
    bound text;
BEGIN
    FOREACH parent IN ARRAY ARRAY['entries', 'entry_postings'] LOOP
        FOR remainder IN 0..7 LOOP
            EXECUTE format(
                'CREATE TABLE %I PARTITION OF %I FOR VALUES WITH (MODULUS 8, REMAINDER %s)',
                parent || '_' || remainder, parent, remainder
            );
            IF current_setting('server_version_num')::integer >= 170000 THEN
                EXECUTE format('GRANT MAINTAIN ON %I TO commonplace_app', parent || '_' || remainder);
            END IF;
        END LOOP;
    END LOOP;
    FOREACH bound IN ARRAY ARRAY['entries', 'entry_postings', 'sequences'] LOOP
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO commonplace_app', bound);
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', bound);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', bound);
        EXECUTE format(
            'CREATE POLICY of_the_tenant ON %I TO commonplace_app '
            'USING (tenant = current_setting(''commonplace.tenant'', true)) '
            'WITH CHECK (tenant = current_setting(''commonplace.tenant'', true))',
            bound
        );
        EXECUTE format(
            'CREATE POLICY of_upkeep ON %I TO %I '
            'USING (current_setting(''commonplace.upkeep'', true) = ''on'') '
            'WITH CHECK (current_setting(''commonplace.upkeep'', true) = ''on'')',
            bound, current_user
        );
    END LOOP;
END $$;
