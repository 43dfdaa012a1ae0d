-- Gates: a session that has been told to (pgfsm.stops: a number of its own for the statement, and which of its gates)
-- waits where the statement begins or ends to write to a table, or where one of the functions below comes to a further
-- statement, for an advisory lock that another session holds.
CREATE SCHEMA pgfsm;
CREATE FUNCTION pgfsm.gate() RETURNS trigger LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET lock_timeout = 0 AS $gate$
DECLARE
    stops constant integer[] := string_to_array(current_setting('pgfsm.stops'), ' ');
    crossing constant integer := nextval('pgfsm.crossings_' || stops[1]);
BEGIN
    IF crossing = ANY (stops[2:]) THEN
        PERFORM pg_advisory_lock_shared(1885828717 + stops[1], crossing),
                pg_advisory_unlock_shared(1885828717 + stops[1], crossing);
    END IF;
    RETURN NULL;
END
$gate$;
GRANT USAGE ON SCHEMA pgfsm TO PUBLIC;
CREATE FUNCTION pgfsm.stop(line integer) RETURNS boolean LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET lock_timeout = 0 AS $gate$
DECLARE
    stops constant integer[] := string_to_array(current_setting('pgfsm.stops'), ' ');
    crossing integer;
BEGIN
    IF NOT current_setting('transaction_read_only')::boolean THEN
        crossing := nextval('pgfsm.crossings_' || stops[1]);
        IF crossing = ANY (stops[2:]) THEN
            PERFORM pg_advisory_lock_shared(1885828717 + stops[1], crossing),
                    pg_advisory_unlock_shared(1885828717 + stops[1], crossing);
        END IF;
    END IF;
    RETURN false;
END
$gate$;
GRANT EXECUTE ON FUNCTION pgfsm.stop TO PUBLIC;
DO $do$
DECLARE
    one record;
    gate pg_catalog.text;
    events pg_catalog.text;
BEGIN
    SET LOCAL search_path = pg_catalog, pg_temp;
    FOR one IN SELECT c.oid::regclass AS name
               FROM pg_class AS c
               JOIN pg_namespace AS n ON n.oid = c.relnamespace
               WHERE c.relkind IN ('r', 'p', 'f') AND c.relpersistence <> 't'
                 AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
                 AND NOT EXISTS (SELECT FROM pg_depend AS d
                                 WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e') LOOP
        -- Names that come first and last among those of their kind.
        FOREACH gate IN ARRAY ARRAY['"!pgfsm" BEFORE', '"~pgfsm" AFTER'] LOOP
            -- One of these is refused for some foreign tables, others for more.
            FOREACH events IN ARRAY ARRAY['INSERT OR UPDATE OR DELETE OR TRUNCATE', 'INSERT OR UPDATE OR DELETE'] LOOP
                BEGIN
                    EXECUTE format('CREATE TRIGGER %s %s ON %s FOR EACH STATEMENT '
                                   'WHEN (pg_catalog.current_setting(''pgfsm.stops'', true) OPERATOR(pg_catalog.<>) '''') '
                                   'EXECUTE FUNCTION pgfsm.gate()', gate, events, one.name);
                    EXIT;
                EXCEPTION WHEN others THEN
                    NULL;
                END;
            END LOOP;
        END LOOP;
    END LOOP;
END
$do$;
