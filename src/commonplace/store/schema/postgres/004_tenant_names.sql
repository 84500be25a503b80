-- Everybody who has anything in the book, for work that is done for all of them: vectors, dreams, a migration.
-- Row-level security hides all of them but one from commonplace_app, and the owner's exception is for the owner; a
-- server's login is neither. So there is one question that may be asked, of a function with the owner's rights: the
-- names, and nothing else. Like tokens, they are there only for a transaction that names no tenant.

CREATE FUNCTION commonplace.tenant_names() RETURNS SETOF text
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, commonplace, pg_temp
AS $$
DECLARE
    before text := coalesce(current_setting('commonplace.upkeep', true), '');
    source text;
    name text;
BEGIN
    IF coalesce(current_setting('commonplace.tenant', true), '') <> '' THEN
        RAISE insufficient_privilege USING MESSAGE = 'a tenant does not learn who the others are';
    END IF;
    PERFORM set_config('commonplace.upkeep', 'on', true);
    -- From name to name along the keys, which all begin with the tenant: it costs by tenants, not by rows.
    FOREACH source IN ARRAY ARRAY['tenants', 'relations', 'events', 'keys', 'entries', 'sequences'] LOOP
        name := '';
        LOOP
            EXECUTE format('SELECT min(tenant) FROM commonplace.%I WHERE tenant > $1', source) INTO name USING name;
            EXIT WHEN name IS NULL;
            RETURN NEXT name;
        END LOOP;
    END LOOP;
    PERFORM set_config('commonplace.upkeep', before, true);
END $$;

REVOKE ALL ON FUNCTION commonplace.tenant_names() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION commonplace.tenant_names() TO commonplace_app;
