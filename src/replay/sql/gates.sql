-- Gates: a session that has been told to (pgfsm.stops: a number of its own for the statement, and which of its gates)
-- waits where the statement begins or ends to write to a table, or where one of the functions below comes to a further
-- statement, for an advisory lock that another session holds. Gates of functions have the number of the table's gate
-- before them, 4096 for each since then, and 2^30. Where lock_timeout is set, it ends waits behind the gates with a minus
-- at once, and no others.
CREATE SCHEMA pgfsm;
CREATE FUNCTION pgfsm.wait(gates integer, gate integer) RETURNS void LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp SET lock_timeout = 0 AS $wait$
    SELECT pg_catalog.pg_advisory_lock_shared(1885828717 + gates, gate), pg_catalog.pg_advisory_unlock_shared(1885828717 + gates, gate)
$wait$;
CREATE FUNCTION pgfsm.gate() RETURNS trigger LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $gate$
DECLARE
    stops constant integer[] := string_to_array(nullif(current_setting('pgfsm.stops'), ''), ' ');
    crossing integer;
BEGIN
    IF stops IS NOT NULL THEN
        crossing := nextval('pgfsm.crossings_' || stops[1]);
        IF crossing = ANY (stops[2:]) THEN
            PERFORM pgfsm.wait(stops[1], crossing);
        END IF;
    END IF;
    IF current_setting('lock_timeout') <> '0' THEN
        PERFORM set_config('lock_timeout', CASE WHEN - crossing = ANY (stops[2:]) THEN '1ms' ELSE '2147483647ms' END, true);
    END IF;
    RETURN NULL;
END
$gate$;
GRANT USAGE ON SCHEMA pgfsm TO PUBLIC;
CREATE FUNCTION pgfsm.stop(line integer) RETURNS boolean LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $gate$
DECLARE
    stops constant integer[] := string_to_array(nullif(current_setting('pgfsm.stops', true), ''), ' ');
    crossing integer;
    last bigint;
BEGIN
    IF current_setting('transaction_read_only')::boolean THEN
        RETURN false;
    END IF;
    IF stops IS NOT NULL THEN
        crossing := coalesce(pg_sequence_last_value('pgfsm.crossings_' || stops[1]), 0);
        last := coalesce(pg_sequence_last_value('pgfsm.bodies_' || stops[1]), 0);
        last := CASE WHEN last / 65536 = crossing THEN last + 1 ELSE crossing * 65536::bigint + 1 END;
        PERFORM setval('pgfsm.bodies_' || stops[1], last);
        crossing := crossing + 4096 * (last % 65536)::integer + 1073741824;
        IF crossing = ANY (stops[2:]) THEN
            PERFORM pgfsm.wait(stops[1], crossing);
        END IF;
    END IF;
    IF current_setting('lock_timeout') <> '0' THEN
        PERFORM set_config('lock_timeout', CASE WHEN - crossing = ANY (stops[2:]) THEN '1ms' ELSE '2147483647ms' END, true);
    END IF;
    RETURN false;
END
$gate$;
GRANT EXECUTE ON FUNCTION pgfsm.stop TO PUBLIC;
