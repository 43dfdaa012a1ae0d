-- Gates, where several sessions are tested side by side: before and after each statement that writes to a table of the
-- schema's, a session that is a lane (session/lane.c) tells its client at once (INFO comes whatever client_min_messages
-- is), and waits where its client has set a stop. A script for a superuser, in a database of ours.
-- Everything is in a schema whose name begins with pg_, and the triggers count as internal, so that neither our queries
-- of the catalog nor those of the schema take them for its own. Event triggers are not to see it.
SET session_replication_role = replica;
SET allow_system_table_mods = on;
CREATE SCHEMA pg_pgfsm;
-- How far each lane came: twice the number of the last crossing that was counted, and whether it stops next at the
-- second of its two locks. Sequences, as no rollback to a savepoint is to take that back.
CREATE SEQUENCE pg_pgfsm.pgfsm_lane_0;
CREATE SEQUENCE pg_pgfsm.pgfsm_lane_1;
CREATE SEQUENCE pg_pgfsm.pgfsm_lane_2;
CREATE SEQUENCE pg_pgfsm.pgfsm_lane_3;
-- Rows: 65536 times the number of the crossing that they came after, and how many.
CREATE SEQUENCE pg_pgfsm.pgfsm_rows_0;
CREATE SEQUENCE pg_pgfsm.pgfsm_rows_1;
CREATE SEQUENCE pg_pgfsm.pgfsm_rows_2;
CREATE SEQUENCE pg_pgfsm.pgfsm_rows_3;
GRANT USAGE ON SCHEMA pg_pgfsm TO PUBLIC;
-- The lane waits until its client lets it go on. Of its two locks it takes the other one next.
CREATE FUNCTION pg_pgfsm.wait(lane integer, crossing bigint, state bigint) RETURNS void LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp SET lock_timeout = 0 AS $wait$
BEGIN
    PERFORM pg_advisory_lock_shared(1885828717, 2 * lane + (state % 2)::integer),
            pg_advisory_unlock_shared(1885828717, 2 * lane + (state % 2)::integer);
END
$wait$;
-- How many rows the transaction has written to the table in this way.
CREATE FUNCTION pg_pgfsm.written(what text, of oid) RETURNS bigint LANGUAGE sql STABLE AS $written$
    SELECT CASE what WHEN 'INSERT' THEN pg_catalog.pg_stat_get_xact_tuples_inserted(of)
                     WHEN 'UPDATE' THEN pg_catalog.pg_stat_get_xact_tuples_updated(of)
                     WHEN 'DELETE' THEN pg_catalog.pg_stat_get_xact_tuples_deleted(of) ELSE 0 END
$written$;
-- Where sessions end in the middle of a step: how many of its transactions had been committed.
CREATE SEQUENCE pg_pgfsm.pgfsm_died_0 MINVALUE 0;
CREATE SEQUENCE pg_pgfsm.pgfsm_died_1 MINVALUE 0;
CREATE SEQUENCE pg_pgfsm.pgfsm_died_2 MINVALUE 0;
CREATE SEQUENCE pg_pgfsm.pgfsm_died_3 MINVALUE 0;
-- pgfsm.dies: how many gates are still to come up to the last, how many transactions that had written something were
-- committed, and the number of the last that had. A rollback takes back what it says of the transaction.
CREATE FUNCTION pg_pgfsm.die_soon(lane integer, dies bigint[]) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $die$
DECLARE
    number constant bigint := coalesce(pg_current_xact_id_if_assigned()::text::bigint, 0);
BEGIN
    IF dies[3] NOT IN (0, number) THEN
        dies[2] := dies[2] + 1;
        dies[3] := 0;
    END IF;
    dies[1] := dies[1] - 1;
    IF dies[1] = 0 THEN
        PERFORM setval('pg_pgfsm.pgfsm_died_' || lane, dies[2]);
        LOOP
            PERFORM pg_terminate_backend(pg_backend_pid(), 10000);
        END LOOP;
    END IF;
    PERFORM set_config('pgfsm.dies', ARRAY[dies[1], dies[2], greatest(dies[3], number)]::text, false);
END
$die$;
-- pgfsm.stops: '{}' or a number beyond all crossings before, and at which ones from there to stop. What a rollback
-- brought back has a smaller number, and counts for nothing. More than 2^20: to stop at a row after a crossing, the
-- number of it times 2^20. More than 2^40: lock_timeout ends waits from there on.
--
-- Where lock_timeout is set, the schedule decides whether a wait takes so long: it is either at once, or never. So that
-- the next gate sees that it is set, never is 24 days.
CREATE FUNCTION pg_pgfsm.gate() RETURNS trigger LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $gate$
DECLARE
    lane constant integer := current_setting('pgfsm.lane');
    stops constant bigint[] := nullif(current_setting('pgfsm.stops', true), '');
    limited constant text := CASE current_setting('lock_timeout') WHEN '0' THEN '' ELSE 'limited' END;
    counter regclass;
    state bigint;
    crossing bigint;
    code text := 'FSM01';
    expires boolean := false;
    rows bigint := pg_pgfsm.written(TG_OP, TG_RELID);
BEGIN
    IF current_setting('pgfsm.dies', true) <> '' THEN
        PERFORM pg_pgfsm.die_soon(lane, current_setting('pgfsm.dies')::bigint[]);
    END IF;
    IF TG_NARGS > 0 THEN
        -- pg_partition_tree() would lock all parts.
        WITH RECURSIVE parts (part) AS (
            SELECT TG_RELID UNION ALL SELECT i.inhrelid FROM pg_inherits AS i JOIN parts ON i.inhparent = part
        )
        SELECT coalesce(sum(pg_pgfsm.written(TG_OP, part)), 0) INTO rows FROM parts;
    END IF;
    IF cardinality(stops) > 1 THEN
        counter := 'pg_pgfsm.pgfsm_lane_' || lane;
        state := coalesce(pg_sequence_last_value(counter), 0);
        crossing := greatest(state / 2, stops[1]) + 1;
        IF crossing - stops[1] <= 1000000 THEN
            expires := crossing - stops[1] + (1::bigint << 40) = ANY (stops[2:]);
            IF crossing - stops[1] = ANY (stops[2:]) THEN
                code := 'FSM02';
                PERFORM setval(counter, 2 * crossing + 1 - state % 2);
            ELSE
                PERFORM setval(counter, 2 * crossing + state % 2);
            END IF;
        END IF;
    END IF;
    RAISE INFO USING ERRCODE = code, MESSAGE = TG_WHEN || ' ' || TG_OP, SCHEMA = TG_TABLE_SCHEMA, TABLE = TG_TABLE_NAME,
                     COLUMN = rows, CONSTRAINT = limited;
    IF code = 'FSM02' THEN
        PERFORM pg_pgfsm.wait(lane, crossing, state);
    END IF;
    IF limited <> '' THEN
        PERFORM set_config('lock_timeout', CASE WHEN expires THEN '1ms' ELSE '2147483647ms' END, true);
    END IF;
    RETURN NULL;
END
$gate$;
-- Gates for each row are triggers that rows() makes and unmakes, as they change how rows are locked: they are there only
-- where a schedule stops at one. A statement that locks rows without writing calls locked() for each.
CREATE FUNCTION pg_pgfsm.row_gate(what text, schema_name text, table_name text) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $row$
DECLARE
    lane constant integer := current_setting('pgfsm.lane');
    stops constant bigint[] := nullif(current_setting('pgfsm.stops', true), '');
    counter regclass;
    rows regclass;
    state bigint;
    crossing bigint;
    row bigint;
BEGIN
    IF cardinality(stops) > 1 THEN
        counter := 'pg_pgfsm.pgfsm_lane_' || lane;
        rows := 'pg_pgfsm.pgfsm_rows_' || lane;
        state := coalesce(pg_sequence_last_value(counter), 0);
        crossing := greatest(state / 2, stops[1]);
        row := coalesce(pg_sequence_last_value(rows), 0);
        row := CASE WHEN row / 65536 = crossing THEN least(row % 65536 + 1, 65535) ELSE 1 END;
        PERFORM setval(rows, crossing * 65536 + row);
        IF crossing - stops[1] + row * 1048576 = ANY (stops[2:]) THEN
            PERFORM setval(counter, 2 * crossing + 1 - state % 2);
            RAISE INFO USING ERRCODE = 'FSM02', MESSAGE = 'ROW ' || what, SCHEMA = schema_name, TABLE = table_name, COLUMN = row;
            PERFORM pg_pgfsm.wait(lane, crossing, state);
        END IF;
    END IF;
END
$row$;
CREATE FUNCTION pg_pgfsm.written_row() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $row$
BEGIN
    PERFORM pg_pgfsm.row_gate(TG_OP, TG_TABLE_SCHEMA, TG_TABLE_NAME);
    IF TG_OP = 'DELETE' THEN
        RETURN OLD;
    END IF;
    RETURN NEW;
END
$row$;
CREATE FUNCTION pg_pgfsm.locked() RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $locked$
BEGIN
    PERFORM pg_pgfsm.row_gate('SELECT', '', '');
    RETURN true;
END
$locked$;
GRANT EXECUTE ON FUNCTION pg_pgfsm.locked() TO PUBLIC; -- a schema may take it from new functions
-- Only leaves: a part is not attached to a table that has a trigger of the same name for each row.
CREATE FUNCTION pg_pgfsm.rows(there boolean) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
SET session_replication_role = replica SET allow_system_table_mods = on AS $rows$
DECLARE
    one regclass;
BEGIN
    FOR one IN SELECT DISTINCT t.tgrelid FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid
               WHERE t.tgfoid = 'pg_pgfsm.gate'::regproc AND c.relkind IN ('r', 'p')
               UNION SELECT p.relid FROM pg_trigger AS t, LATERAL pg_partition_tree(t.tgrelid) AS p
               WHERE t.tgfoid = 'pg_pgfsm.gate'::regproc ORDER BY 1 LOOP
        IF (SELECT c.relkind = 'r' FROM pg_class AS c WHERE c.oid = one) THEN
            EXECUTE format(CASE WHEN there
                                THEN $$CREATE TRIGGER "!pgfsm row" BEFORE INSERT OR UPDATE OR DELETE ON %s FOR EACH ROW
                                       WHEN (pg_catalog.current_setting('pgfsm.lane', true) OPERATOR(pg_catalog.<>) '')
                                       EXECUTE FUNCTION pg_pgfsm.written_row()$$
                                ELSE 'DROP TRIGGER IF EXISTS "!pgfsm row" ON %s' END, one);
        END IF;
    END LOOP;
    UPDATE pg_trigger SET tgisinternal = true WHERE tgfoid = 'pg_pgfsm.written_row'::regproc;
END
$rows$;
DO $do$
DECLARE
    tables CURSOR FOR
        SELECT format('%I.%I', n.nspname, c.relname) AS name, CASE c.relkind WHEN 'p' THEN 'parts' END AS kind
        FROM pg_catalog.pg_class AS c
        JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
        WHERE c.relkind IN ('r', 'p', 'f') AND c.relpersistence <> 't'
          AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
          AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend AS d
                          WHERE d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objid = c.oid
                            AND d.deptype = 'e');
    gate text;
    events text;
BEGIN
    FOR one IN tables LOOP
        -- Names that come first and last among those of their kind.
        FOREACH gate IN ARRAY ARRAY['"!pgfsm" BEFORE', '"~pgfsm" AFTER'] LOOP
            -- One of these is refused for some foreign tables, others for more.
            FOREACH events IN ARRAY ARRAY['INSERT OR UPDATE OR DELETE OR TRUNCATE', 'INSERT OR UPDATE OR DELETE'] LOOP
                BEGIN
                    EXECUTE format($$CREATE TRIGGER %s %s ON %s FOR EACH STATEMENT
                                     WHEN (pg_catalog.current_setting('pgfsm.lane', true) OPERATOR(pg_catalog.<>) '')
                                     EXECUTE FUNCTION pg_pgfsm.gate(%s)$$, gate, events, one.name, one.kind);
                    EXIT;
                EXCEPTION WHEN others THEN
                    NULL;
                END;
            END LOOP;
        END LOOP;
    END LOOP;
END
$do$;
UPDATE pg_catalog.pg_trigger SET tgisinternal = true WHERE tgfoid = 'pg_pgfsm.gate'::pg_catalog.regproc;
-- Stops between the statements of functions, which are written into their texts (sql/stops.h). They are counted apart
-- from the gates of tables: a crossing is a number of those of tables before it, and one of its own.
CREATE SEQUENCE pg_pgfsm.pgfsm_body_0;
CREATE SEQUENCE pg_pgfsm.pgfsm_body_1;
CREATE SEQUENCE pg_pgfsm.pgfsm_body_2;
CREATE SEQUENCE pg_pgfsm.pgfsm_body_3;
-- In pgfsm.stops they are negative: 2^20 times the crossing, and the number after it; lock_timeout as above. A
-- transaction that is READ ONLY can't count.
CREATE FUNCTION pg_pgfsm.stop(oid, integer) RETURNS boolean LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $stop$
DECLARE
    lane constant integer := current_setting('pgfsm.lane');
    stops constant bigint[] := nullif(current_setting('pgfsm.stops', true), '');
    limited constant text := CASE current_setting('lock_timeout') WHEN '0' THEN '' ELSE 'limited' END;
    state bigint;
    crossing bigint;
    last bigint;
    code text := 'FSM01';
    expires boolean := false;
BEGIN
    IF current_setting('transaction_read_only')::boolean THEN
        RETURN false;
    END IF;
    IF cardinality(stops) > 1 THEN
        state := coalesce(pg_sequence_last_value('pg_pgfsm.pgfsm_lane_' || lane), 0);
        crossing := greatest(state / 2, stops[1]);
        last := coalesce(pg_sequence_last_value('pg_pgfsm.pgfsm_body_' || lane), 0);
        last := CASE WHEN last >> 20 = crossing THEN last + 1 ELSE (crossing << 20) + 1 END;
        last := setval('pg_pgfsm.pgfsm_body_' || lane, last);
        expires := (stops[1] << 20) - last - (1::bigint << 40) = ANY (stops[2:]);
        IF (stops[1] << 20) - last = ANY (stops[2:]) THEN
            code := 'FSM02';
            PERFORM setval('pg_pgfsm.pgfsm_lane_' || lane, 2 * crossing + 1 - state % 2);
        END IF;
    END IF;
    RAISE INFO USING ERRCODE = code, MESSAGE = 'BODY', COLUMN = $2, DATATYPE = $1, CONSTRAINT = limited;
    IF code = 'FSM02' THEN
        PERFORM pg_pgfsm.wait(lane, crossing, state);
    END IF;
    IF limited <> '' THEN
        PERFORM set_config('lock_timeout', CASE WHEN expires THEN '1ms' ELSE '2147483647ms' END, true);
    END IF;
    RETURN false;
END
$stop$;
GRANT EXECUTE ON FUNCTION pg_pgfsm.stop TO PUBLIC;
-- The texts as they were.
CREATE TABLE pg_pgfsm.bodies (function oid PRIMARY KEY, text text);
CREATE FUNCTION pg_pgfsm.put(function oid, text text) RETURNS boolean LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $put$
DECLARE
    validator regproc;
    path text;
BEGIN
    SELECT coalesce((SELECT substr(s, 13) FROM unnest(p.proconfig) AS s WHERE s LIKE 'search_path=%'),
                    (SELECT s.reset_val FROM pg_settings AS s WHERE s.name = 'search_path')),
           l.lanvalidator
    INTO path, validator
    FROM pg_proc AS p JOIN pg_language AS l ON l.oid = p.prolang WHERE p.oid = $1;
    INSERT INTO pg_pgfsm.bodies SELECT p.oid, p.prosrc FROM pg_proc AS p WHERE p.oid = $1;
    UPDATE pg_proc AS p SET prosrc = $2 WHERE p.oid = $1;
    PERFORM set_config('search_path', path, true);
    EXECUTE pg_catalog.format('SELECT %s($1)', validator) USING $1;
    RETURN true;
EXCEPTION WHEN others THEN
    RETURN false;
END
$put$;
