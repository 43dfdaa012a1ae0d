-- Gates between the rows of a statement: where it has locked a row, or is about to insert one. Their numbers are those
-- of the gate before it, and 4096 for each row since then.
GRANT USAGE ON SCHEMA pgfsm TO PUBLIC;
CREATE FUNCTION pgfsm.row_gate() RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $row$
DECLARE
    stops constant integer[] := string_to_array(nullif(current_setting('pgfsm.stops', true), ''), ' ');
    crossing integer;
    last bigint;
    number integer;
BEGIN
    IF stops IS NOT NULL THEN
        crossing := coalesce(pg_sequence_last_value('pgfsm.crossings_' || stops[1]), 0);
        last := coalesce(pg_sequence_last_value('pgfsm.rows_' || stops[1]), 0);
        number := CASE WHEN last / 65536 = crossing THEN least(last % 65536 + 1, 65535) ELSE 1 END;
        PERFORM setval('pgfsm.rows_' || stops[1], crossing * 65536::bigint + number);
        IF crossing + 4096 * number = ANY (stops[2:]) THEN
            PERFORM pgfsm.wait(stops[1], crossing + 4096 * number);
        END IF;
    END IF;
END
$row$;
CREATE FUNCTION pgfsm.written_row() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $row$
BEGIN
    PERFORM pgfsm.row_gate();
    IF TG_OP = 'DELETE' THEN
        RETURN OLD;
    END IF;
    RETURN NEW;
END
$row$;
CREATE FUNCTION pgfsm.locked() RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $locked$
BEGIN
    PERFORM pgfsm.row_gate();
    RETURN true;
END
$locked$;
GRANT EXECUTE ON FUNCTION pgfsm.locked() TO PUBLIC;
DO $do$
DECLARE
    one pg_catalog.text;
BEGIN
    FOR one IN SELECT DISTINCT c.oid::pg_catalog.regclass::pg_catalog.text FROM pg_catalog.pg_trigger AS t
               JOIN pg_catalog.pg_class AS c ON c.oid OPERATOR(pg_catalog.=) t.tgrelid
                   OR c.oid OPERATOR(pg_catalog.=) ANY (ARRAY(SELECT p.relid FROM pg_catalog.pg_partition_tree(t.tgrelid) AS p)::pg_catalog.oid[])
               WHERE t.tgfoid OPERATOR(pg_catalog.=) 'pgfsm.gate'::pg_catalog.regproc AND c.relkind OPERATOR(pg_catalog.=) 'r' LOOP
        EXECUTE pg_catalog.format('CREATE TRIGGER "!pgfsm row" BEFORE INSERT OR UPDATE OR DELETE ON %s FOR EACH ROW '
                                  'WHEN (pg_catalog.current_setting(''pgfsm.stops'', true) OPERATOR(pg_catalog.<>) '''') '
                                  'EXECUTE FUNCTION pgfsm.written_row()', one);
    END LOOP;
END
$do$;
