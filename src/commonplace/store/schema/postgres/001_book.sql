-- The book on a server: rows, words, vectors and the log, in a schema of their own.
-- Times are integer milliseconds UTC. Every key is led by the tenant; what grows with the memories is
-- split by it. Text that is compared or sorted is so by its bytes, as on every engine.

CREATE SCHEMA IF NOT EXISTS commonplace;
SET LOCAL search_path = commonplace, public, extensions;

CREATE TABLE book (
    schema integer NOT NULL
);
INSERT INTO book VALUES (0);

CREATE TABLE tenants (
    tenant      text COLLATE "C" PRIMARY KEY,
    last_number bigint NOT NULL DEFAULT 0,
    memories    bigint NOT NULL DEFAULT 0,       -- how many have words, and how many words: BM25 needs both
    length      bigint NOT NULL DEFAULT 0
);

CREATE TABLE memories (
    tenant        text COLLATE "C" NOT NULL,
    number        bigint NOT NULL,
    id            text COLLATE "C" NOT NULL,
    text          text COLLATE "C" NOT NULL,
    scope         text COLLATE "C" NOT NULL,
    created_at    bigint NOT NULL,
    updated_at    bigint NOT NULL,
    owner         text COLLATE "C" NOT NULL,
    kind          text COLLATE "C" NOT NULL,
    memory_type   text COLLATE "C",
    tags          text COLLATE "C" NOT NULL,     -- JSON array, in the order given
    category      text COLLATE "C",
    topic         text COLLATE "C",
    importance    double precision NOT NULL,
    confidence    double precision NOT NULL,
    priority      integer NOT NULL,
    pinned        boolean NOT NULL,
    source        text COLLATE "C",
    surface       text COLLATE "C" NOT NULL,
    actor         text COLLATE "C" NOT NULL,
    capture_mode  text COLLATE "C",
    session       text COLLATE "C",
    origin        text COLLATE "C" NOT NULL,
    standing      text COLLATE "C" NOT NULL,
    status        text COLLATE "C" NOT NULL,
    status_at     bigint,
    status_reason text COLLATE "C",
    successor     text COLLATE "C",
    confirmed_at  bigint,
    expires_at    bigint,
    valid_from    bigint,
    valid_to      bigint,
    revision      integer NOT NULL,
    recorded_at   bigint NOT NULL,               -- when this revision was written to this book
    text_key      bigint NOT NULL,               -- digest of the folded text, to find exact repeats
    hash          bytea NOT NULL,                -- content hash of the row, checked by doctor
    length        integer NOT NULL DEFAULT 0,    -- how many words it has in the index
    PRIMARY KEY (tenant, number),
    UNIQUE (tenant, id)
) PARTITION BY HASH (tenant);

CREATE INDEX memories_by_text ON memories (tenant, text_key);
CREATE INDEX memories_by_scope ON memories (tenant, scope, number);
CREATE INDEX memories_by_topic ON memories (tenant, topic) WHERE topic IS NOT NULL;
CREATE INDEX memories_by_session ON memories (tenant, session, number) WHERE session IS NOT NULL;

CREATE TABLE tags (
    tenant text COLLATE "C" NOT NULL,
    tag    text COLLATE "C" NOT NULL,
    number bigint NOT NULL,
    PRIMARY KEY (tenant, tag, number)
);
CREATE INDEX tags_by_memory ON tags (tenant, number);

-- What a memory was before: one line for each past revision, erased with it.
CREATE TABLE revisions (
    tenant      text COLLATE "C" NOT NULL,
    number      bigint NOT NULL,
    revision    integer NOT NULL,
    recorded_at bigint NOT NULL,
    state       text COLLATE "C" NOT NULL,       -- canonical JSON
    hash        bytea NOT NULL,
    PRIMARY KEY (tenant, number, revision)
) PARTITION BY HASH (tenant);

-- The word index: how often each memory uses each term that commonplace.text made. An index over a
-- tsvector cannot be used here: under row-level security PostgreSQL uses an index only for operators
-- that give nothing away about other rows, and @@ is not marked as one of them; equality is.
CREATE TABLE postings (
    tenant text COLLATE "C" NOT NULL,
    term   text COLLATE "C" NOT NULL,
    number bigint NOT NULL,
    count  integer NOT NULL,
    length integer NOT NULL,                     -- of the whole memory, so that scoring reads this index alone
    PRIMARY KEY (tenant, term, number) INCLUDE (count, length)
) PARTITION BY HASH (tenant);
CREATE INDEX postings_by_memory ON postings (tenant, number);

CREATE TABLE sketches (
    tenant text COLLATE "C" NOT NULL,
    scope  text COLLATE "C" NOT NULL,
    key    bigint NOT NULL,
    number bigint NOT NULL,
    PRIMARY KEY (tenant, scope, key, number)
) PARTITION BY HASH (tenant);
CREATE INDEX sketches_by_memory ON sketches (tenant, number);

-- One for each memory and space, compared exactly unless many take part; then through an HNSW index for
-- each space and partition, which upkeep makes when a tenant has grown large enough to need it.
CREATE TABLE vectors (
    tenant     text COLLATE "C" NOT NULL,
    space      text COLLATE "C" NOT NULL,
    number     bigint NOT NULL,
    dimensions integer NOT NULL,
    vector     halfvec,                          -- unit length; NULL when the model could not read the text
    PRIMARY KEY (tenant, space, number)
) PARTITION BY HASH (tenant);
CREATE INDEX vectors_by_memory ON vectors (tenant, number);

CREATE TABLE uses (
    tenant          text COLLATE "C" NOT NULL,
    number          bigint NOT NULL,
    count           bigint NOT NULL,
    used_at         bigint NOT NULL,
    surface         text COLLATE "C" NOT NULL,
    base_confidence double precision,
    PRIMARY KEY (tenant, number)
);

CREATE TABLE relations (
    tenant     text COLLATE "C" NOT NULL,
    id         text COLLATE "C" NOT NULL,
    source     text COLLATE "C" NOT NULL,
    target     text COLLATE "C" NOT NULL,
    kind       text COLLATE "C" NOT NULL,
    reason     text COLLATE "C",
    created_at bigint NOT NULL,
    PRIMARY KEY (tenant, id)
);
CREATE INDEX relations_by_source ON relations (tenant, source);
CREATE INDEX relations_by_target ON relations (tenant, target);

-- The audit: ids and kinds, never content. The sequence is the tenant's own: gaps would tell of others.
CREATE TABLE events (
    tenant    text COLLATE "C" NOT NULL,
    sequence  bigint NOT NULL,
    id        text COLLATE "C" NOT NULL,
    type      text COLLATE "C" NOT NULL,
    memory_id text COLLATE "C",
    actor     text COLLATE "C" NOT NULL,
    at        bigint NOT NULL,
    payload   text COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant, sequence)
) PARTITION BY HASH (tenant);
CREATE INDEX events_by_memory ON events (tenant, memory_id, sequence);
CREATE INDEX events_by_type ON events (tenant, type);

CREATE TABLE keys (
    tenant  text COLLATE "C" NOT NULL,
    owner   text COLLATE "C" NOT NULL,
    key     text COLLATE "C" NOT NULL,
    digest  bytea NOT NULL,
    ids     text COLLATE "C" NOT NULL,
    kept_at bigint NOT NULL,
    PRIMARY KEY (tenant, owner, key)
);
CREATE INDEX keys_by_age ON keys (tenant, kept_at);

-- Eight partitions for each table that grows with the memories: the same remainder is the same tenants.
DO $$
DECLARE
    parent text;
BEGIN
    FOREACH parent IN ARRAY ARRAY['memories', 'revisions', 'postings', 'sketches', 'vectors', 'events'] LOOP
        FOR remainder IN 0..7 LOOP
            EXECUTE format(
                'CREATE TABLE %I PARTITION OF %I FOR VALUES WITH (MODULUS 8, REMAINDER %s)',
                parent || '_' || remainder, parent, remainder
            );
        END LOOP;
    END LOOP;
END $$;

-- Whoever uses the book does so as commonplace_app, which owns nothing and sees the tenant that its
-- transaction names, no other. The owner is bound too, but for upkeep, which has to say that it is that.
GRANT USAGE ON SCHEMA commonplace TO commonplace_app;
GRANT SELECT ON book TO commonplace_app;
DO $$
DECLARE
    bound text;
BEGIN
    FOREACH bound IN ARRAY ARRAY[
        'tenants', 'memories', 'tags', 'revisions', 'postings', 'sketches', 'vectors', 'uses', 'relations', 'events',
        'keys'
    ] LOOP
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

-- Purging has to vacuum, which only owners could do before PostgreSQL 17.
DO $$
DECLARE
    kept regclass;
BEGIN
    IF current_setting('server_version_num')::integer >= 170000 THEN
        FOR kept IN SELECT oid FROM pg_class WHERE relnamespace = 'commonplace'::regnamespace AND relkind = 'r' LOOP
            EXECUTE format('GRANT MAINTAIN ON %s TO commonplace_app', kept);
        END LOOP;
    END IF;
END $$;
