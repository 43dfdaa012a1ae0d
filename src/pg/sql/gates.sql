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
-- pgfsm.stops: '{}' or a number beyond all crossings before, and at which ones from there to stop. What a rollback
-- brought back has a smaller number, and counts for nothing.
CREATE FUNCTION pg_pgfsm.gate() RETURNS trigger LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET lock_timeout = 0 AS $gate$
DECLARE
    lane constant integer := current_setting('pgfsm.lane');
    stops constant bigint[] := nullif(current_setting('pgfsm.stops', true), '');
    counter regclass;
    state bigint;
    crossing bigint;
    lock integer;
BEGIN
    IF cardinality(stops) > 1 THEN
        counter := 'pg_pgfsm.pgfsm_lane_' || lane;
        state := coalesce(pg_sequence_last_value(counter), 0);
        crossing := greatest(state / 2, stops[1]) + 1;
        IF crossing - stops[1] <= 1000000 THEN
            IF crossing - stops[1] = ANY (stops[2:]) THEN
                lock := 2 * lane + state % 2;
                state := setval(counter, 2 * crossing + 1 - state % 2);
                RAISE INFO USING ERRCODE = 'FSM02', MESSAGE = TG_WHEN || ' ' || TG_OP, SCHEMA = TG_TABLE_SCHEMA, TABLE = TG_TABLE_NAME;
                PERFORM pg_advisory_lock_shared(1885828717, lock), pg_advisory_unlock_shared(1885828717, lock);
                RETURN NULL;
            END IF;
            state := setval(counter, 2 * crossing + state % 2);
        END IF;
    END IF;
    RAISE INFO USING ERRCODE = 'FSM01', MESSAGE = TG_WHEN || ' ' || TG_OP, SCHEMA = TG_TABLE_SCHEMA, TABLE = TG_TABLE_NAME;
    RETURN NULL;
END
$gate$;
DO $do$
DECLARE
    tables CURSOR FOR
        SELECT format('%I.%I', n.nspname, c.relname) AS name
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
                                     EXECUTE FUNCTION pg_pgfsm.gate()$$, gate, events, one.name);
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
GRANT USAGE ON SCHEMA pg_pgfsm TO PUBLIC;
CREATE SEQUENCE pg_pgfsm.pgfsm_body_0;
CREATE SEQUENCE pg_pgfsm.pgfsm_body_1;
CREATE SEQUENCE pg_pgfsm.pgfsm_body_2;
CREATE SEQUENCE pg_pgfsm.pgfsm_body_3;
-- In pgfsm.stops they are negative. A transaction that is READ ONLY can't count.
CREATE FUNCTION pg_pgfsm.stop(oid, integer) RETURNS boolean LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET lock_timeout = 0 AS $stop$
DECLARE
    lane constant integer := current_setting('pgfsm.lane');
    stops constant bigint[] := nullif(current_setting('pgfsm.stops', true), '');
    state bigint;
    crossing bigint;
    last bigint;
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
        IF (stops[1] << 20) - last = ANY (stops[2:]) THEN
            PERFORM setval('pg_pgfsm.pgfsm_lane_' || lane, 2 * crossing + 1 - state % 2);
            RAISE INFO USING ERRCODE = 'FSM02', MESSAGE = 'BODY', COLUMN = $2, DATATYPE = $1;
            PERFORM pg_advisory_lock_shared(1885828717, (2 * lane + state % 2)::integer),
                    pg_advisory_unlock_shared(1885828717, (2 * lane + state % 2)::integer);
            RETURN false;
        END IF;
    END IF;
    RAISE INFO USING ERRCODE = 'FSM01', MESSAGE = 'BODY', COLUMN = $2, DATATYPE = $1;
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
