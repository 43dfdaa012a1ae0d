-- The gates of tables, behind the function pgfsm.gate of gates.sql or dying.sql. Only sessions come to them that one of
-- these settings tells to. The schema pgfsm may be that of a store.
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
                 AND n.nspname NOT IN ('information_schema', 'pgfsm') AND n.nspname !~ '^pg_'
                 AND NOT EXISTS (SELECT FROM pg_depend AS d
                                 WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e') LOOP
        -- Names that come first and last among those of their kind.
        FOREACH gate IN ARRAY ARRAY['"!pgfsm" BEFORE', '"~pgfsm" AFTER'] LOOP
            -- One of these is refused for some foreign tables, others for more.
            FOREACH events IN ARRAY ARRAY['INSERT OR UPDATE OR DELETE OR TRUNCATE', 'INSERT OR UPDATE OR DELETE'] LOOP
                BEGIN
                    EXECUTE format('CREATE TRIGGER %s %s ON %s FOR EACH STATEMENT '
                                   'WHEN (pg_catalog.current_setting(''pgfsm.stops'', true) IS NOT NULL '
                                   'OR pg_catalog.current_setting(''pgfsm.dies'', true) OPERATOR(pg_catalog.<>) '''') '
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
