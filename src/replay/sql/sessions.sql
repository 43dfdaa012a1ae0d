-- Sessions: each is a connection of dblink's. What is sent to one that still waits is sent when it has been answered.
CREATE TEMP TABLE sessions (name text PRIMARY KEY, pid integer, step text, call integer, columns text, ends boolean);
CREATE TEMP TABLE sends (n serial, session text, step text, call integer, before text, sql text, columns text);
CREATE TEMP TABLE answers (step text, call integer, rows text[], error text);

-- NULL, or why it can't be.
CREATE FUNCTION pg_temp.connect(session text, connection text, settings text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    why text;
BEGIN
    PERFORM dblink_connect(session, connection);
    PERFORM dblink_exec(session, settings);
    INSERT INTO sessions SELECT session, pid FROM dblink(session, 'SELECT pg_catalog.pg_backend_pid()') AS t(pid integer);
    RETURN NULL;
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS why = PG_EXCEPTION_DETAIL;
    RETURN coalesce(nullif(why, ''), SQLERRM);
END $$;

CREATE FUNCTION pg_temp.receive(session text, columns text, OUT rows text[], OUT error text) LANGUAGE plpgsql AS $$
BEGIN
    BEGIN
        EXECUTE pg_catalog.format('SELECT pg_catalog.array_agg(t::text) FROM dblink_get_result(%L) AS t(%s)', session, columns) INTO rows;
        rows := coalesce(rows, ARRAY[]::text[]);
    EXCEPTION WHEN OTHERS OR query_canceled OR assert_failure THEN
        rows := ARRAY['error ' || SQLSTATE];
        error := SQLERRM;
    END;
    LOOP
        PERFORM FROM dblink_get_result(session) AS t(more text);
        EXIT WHEN NOT FOUND;
    END LOOP;
END $$;

-- A session that sleeps may wait for what another one is to do: after a while, others go on.
CREATE FUNCTION pg_temp.sleeps(of integer) RETURNS boolean LANGUAGE sql AS $$
    SELECT EXISTS (SELECT FROM pg_catalog.pg_stat_get_activity(of)
                   WHERE wait_event = 'PgSleep' AND query_start < pg_catalog.clock_timestamp() - interval '0.15 s')
$$;

-- A wait that lock_timeout ends is over within a millisecond: any other one goes on for longer.
CREATE FUNCTION pg_temp.waits_on(of integer) RETURNS boolean LANGUAGE sql AS $$
    SELECT EXISTS (SELECT FROM pg_catalog.pg_locks
                   WHERE pid = of AND NOT granted AND waitstart < pg_catalog.clock_timestamp() - interval '0.15 s')
$$;

-- Until each session has been answered, or waits for a lock, or sleeps.
CREATE FUNCTION pg_temp.settle() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    one record;
    runs boolean := true;
    pids constant integer[] := (SELECT pg_catalog.array_append(pg_catalog.array_agg(pid), pg_catalog.pg_backend_pid()) FROM sessions);
BEGIN
    WHILE runs LOOP
        runs := false;
        FOR one IN SELECT * FROM sessions WHERE step IS NOT NULL ORDER BY name LOOP
            IF dblink_is_busy(one.name) = 0 THEN
                DELETE FROM answers WHERE step = one.step AND call = one.call;
                INSERT INTO answers SELECT one.step, one.call, a.* FROM pg_temp.receive(one.name, one.columns) AS a;
                UPDATE sessions SET step = NULL WHERE name = one.name;
                runs := true;
            ELSE
                runs := runs OR NOT (pg_catalog.pg_isolation_test_session_is_blocked(one.pid, pids)
                                     AND (NOT one.ends OR pg_temp.waits_on(one.pid)) OR pg_temp.sleeps(one.pid));
            END IF;
        END LOOP;
        PERFORM pg_catalog.pg_sleep(0.001) WHERE runs;
    END LOOP;
END $$;

CREATE FUNCTION pg_temp.play() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    next record;
BEGIN
    LOOP
        PERFORM pg_temp.settle();
        SELECT m.* INTO next FROM sends AS m JOIN sessions AS s ON s.name = m.session
        WHERE s.step IS NULL ORDER BY n LIMIT 1;
        EXIT WHEN NOT FOUND;
        DELETE FROM sends WHERE n = next.n;
        IF next.step IS NULL THEN
            PERFORM pg_temp.renew(next.session, next.sql, next.before);
            CONTINUE;
        END IF;
        UPDATE sessions SET step = next.step, call = next.call, columns = next.columns, ends = next.before ~ 'stops = ''[ 0-9]*-'
        WHERE name = next.session;
        PERFORM dblink_exec(next.session, next.before, false) WHERE next.before <> '';
        PERFORM dblink_send_query(next.session, next.sql);
    END LOOP;
END $$;

CREATE FUNCTION pg_temp.send(session text, step text, call integer, sql text, columns text, before text DEFAULT '')
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO sends (session, step, call, before, sql, columns) VALUES (session, step, call, before, sql, columns);
    PERFORM pg_temp.play();
END $$;

-- The client goes away, and the server ends its session. Another client takes its place.
CREATE FUNCTION pg_temp.renew(session text, connection text, settings text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    old constant integer := (SELECT pid FROM sessions WHERE name = session);
    why text;
BEGIN
    PERFORM dblink_disconnect(session);
    DELETE FROM sessions WHERE name = session;
    WHILE EXISTS (SELECT FROM pg_catalog.pg_stat_get_activity(old)) LOOP
        PERFORM pg_catalog.pg_stat_clear_snapshot(), pg_catalog.pg_sleep(0.001);
    END LOOP;
    why := pg_temp.connect(session, connection, settings);
    IF why IS NOT NULL THEN
        RAISE 'dblink can''t connect: %', why;
    END IF;
END $$;

CREATE FUNCTION pg_temp.die(session text, connection text, settings text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO sends (session, before, sql) VALUES (session, settings, connection);
    PERFORM pg_temp.play();
END $$;

-- Opens a gate.
CREATE FUNCTION pg_temp.go_on(gates integer, crossing integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_catalog.pg_advisory_unlock(1885828717 + gates, crossing);
    PERFORM pg_temp.play();
END $$;

-- Cancels what waits for a lock of a session that has no transaction open, and nothing left to do.
CREATE FUNCTION pg_temp.end_kept() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM dblink_cancel_query(s.name) FROM sessions AS s JOIN sessions AS by ON by.step IS NULL
    WHERE s.step IS NOT NULL
      AND CASE WHEN EXISTS (SELECT FROM pg_catalog.pg_locks AS l
                            WHERE l.pid = by.pid AND l.locktype = 'virtualxid' AND l.mode = 'ExclusiveLock')
               THEN false
               ELSE pg_catalog.pg_isolation_test_session_is_blocked(s.pid, ARRAY[by.pid]) END;
END $$;

-- Sessions that wait for one another are the server's to part.
CREATE FUNCTION pg_temp.finish() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    most constant timestamptz := pg_catalog.clock_timestamp() + interval '1 minute';
BEGIN
    LOOP
        PERFORM pg_temp.play();
        EXIT WHEN NOT EXISTS (SELECT FROM sessions WHERE step IS NOT NULL);
        PERFORM pg_temp.end_kept();
        IF pg_catalog.clock_timestamp() > most THEN
            RAISE 'the sessions do not end';
        END IF;
        PERFORM pg_catalog.pg_sleep(0.001);
    END LOOP;
END $$;
