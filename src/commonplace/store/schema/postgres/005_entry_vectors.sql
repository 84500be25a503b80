-- Vectors of what recall looks through beside the memories: decisions, conversations with their turns, and the chunks
-- of documents. An entry whose words or place change loses its vectors, and one that goes takes them along: the rows
-- see to that themselves, so that nothing that removes an entry can leave its vector behind.

SET LOCAL search_path = commonplace, public, extensions;

CREATE TABLE entry_vectors (
    tenant     text COLLATE "C" NOT NULL,
    space      text COLLATE "C" NOT NULL,
    shelf      text COLLATE "C" NOT NULL,
    id         text COLLATE "C" NOT NULL,
    scope      text COLLATE "C" NOT NULL,
    dimensions integer NOT NULL,
    vector     halfvec,                          -- unit length; NULL when the model could not read the text
    PRIMARY KEY (tenant, space, shelf, id)
) PARTITION BY HASH (tenant);
CREATE INDEX entry_vectors_by_entry ON entry_vectors (tenant, shelf, id);

-- How many entries a scope has on each of these shelves (space ''), and how many of them have a vector in a space.
CREATE TABLE entry_counts (
    tenant  text COLLATE "C" NOT NULL,
    scope   text COLLATE "C" NOT NULL,
    shelf   text COLLATE "C" NOT NULL,
    space   text COLLATE "C" NOT NULL,
    entries bigint NOT NULL,
    PRIMARY KEY (tenant, scope, shelf, space)
);

DO $$
DECLARE
    bound text;
BEGIN
    FOR remainder IN 0..7 LOOP
        EXECUTE format(
            'CREATE TABLE %I PARTITION OF entry_vectors FOR VALUES WITH (MODULUS 8, REMAINDER %s)',
            'entry_vectors_' || remainder, remainder
        );
        IF current_setting('server_version_num')::integer >= 170000 THEN
            EXECUTE format('GRANT MAINTAIN ON %I TO commonplace_app', 'entry_vectors_' || remainder);
        END IF;
    END LOOP;
    IF current_setting('server_version_num')::integer >= 170000 THEN
        GRANT MAINTAIN ON entry_counts TO commonplace_app;
    END IF;
    FOREACH bound IN ARRAY ARRAY['entry_vectors', 'entry_counts'] LOOP
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

-- Tenant, scope, shelf, space, and how many more.
CREATE FUNCTION count_entry(text, text, text, text, integer) RETURNS void
    LANGUAGE sql VOLATILE
AS $$
    INSERT INTO commonplace.entry_counts AS c VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (tenant, scope, shelf, space) DO UPDATE SET entries = c.entries + $5;
    DELETE FROM commonplace.entry_counts AS c
        WHERE c.tenant = $1 AND c.scope = $2 AND c.shelf = $3 AND c.space = $4 AND c.entries < 1;
$$;

-- They run with the rights of whoever writes the row: nobody reaches another tenant's counts through them.
CREATE FUNCTION follow_entry() RETURNS trigger
    LANGUAGE plpgsql
AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        IF TG_OP = 'UPDATE' AND OLD.scope = NEW.scope AND OLD.text = NEW.text THEN
            RETURN NULL;
        END IF;
        DELETE FROM commonplace.entry_vectors AS v
            WHERE v.tenant = OLD.tenant AND v.shelf = OLD.shelf AND v.id = OLD.id;
        IF OLD.text <> '' THEN
            PERFORM commonplace.count_entry(OLD.tenant, OLD.scope, OLD.shelf, '', -1);
        END IF;
    END IF;
    IF TG_OP <> 'DELETE' AND NEW.text <> '' THEN
        PERFORM commonplace.count_entry(NEW.tenant, NEW.scope, NEW.shelf, '', 1);
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION follow_entry_vector() RETURNS trigger
    LANGUAGE plpgsql
AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        PERFORM commonplace.count_entry(NEW.tenant, NEW.scope, NEW.shelf, NEW.space, 1);
    ELSE
        PERFORM commonplace.count_entry(OLD.tenant, OLD.scope, OLD.shelf, OLD.space, -1);
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER entries_added AFTER INSERT ON entries FOR EACH ROW
    WHEN (NEW.shelf IN ('decision', 'session', 'turn', 'chunks')) EXECUTE FUNCTION follow_entry();
CREATE TRIGGER entries_changed AFTER UPDATE OR DELETE ON entries FOR EACH ROW
    WHEN (OLD.shelf IN ('decision', 'session', 'turn', 'chunks')) EXECUTE FUNCTION follow_entry();
CREATE TRIGGER entry_vectors_counted AFTER INSERT OR DELETE ON entry_vectors FOR EACH ROW
    EXECUTE FUNCTION follow_entry_vector();

-- The owner counts what is there already; row-level security binds it, but for upkeep.
SELECT set_config('commonplace.upkeep', 'on', true);
INSERT INTO entry_counts SELECT tenant, scope, shelf, '', count(*) FROM entries
    WHERE text <> '' AND shelf IN ('decision', 'session', 'turn', 'chunks') GROUP BY tenant, scope, shelf;
SELECT set_config('commonplace.upkeep', '', true);
