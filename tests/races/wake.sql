CREATE TABLE topics (id integer PRIMARY KEY);
CREATE TABLE workers (name text PRIMARY KEY);
CREATE TABLE events (id integer GENERATED ALWAYS AS IDENTITY, topic integer NOT NULL REFERENCES topics, taken boolean NOT NULL DEFAULT false);
CREATE TABLE waiters (worker text PRIMARY KEY REFERENCES workers, topic integer NOT NULL REFERENCES topics);
CREATE FUNCTION emit(t integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE woken integer;
BEGIN
    PERFORM FROM topics WHERE id = t FOR UPDATE;
    IF NOT FOUND THEN RETURN NULL; END IF;
    INSERT INTO events (topic) VALUES (t);
    DELETE FROM waiters WHERE topic = t;
    GET DIAGNOSTICS woken = ROW_COUNT;
    IF woken > 0 THEN UPDATE events SET taken = true WHERE topic = t; END IF;
    RETURN woken;
END $$;
CREATE FUNCTION wait_for(t integer, who text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM topics WHERE id = t FOR UPDATE;
    IF NOT FOUND THEN RETURN 'unknown'; END IF;
    PERFORM FROM workers WHERE name = who FOR UPDATE;
    IF NOT FOUND THEN RETURN 'unknown'; END IF;
    IF EXISTS (SELECT FROM waiters WHERE worker = who) THEN RETURN 'waits already'; END IF;
    IF EXISTS (SELECT FROM events WHERE topic = t AND NOT taken) THEN
        UPDATE events SET taken = true WHERE topic = t;
        RETURN 'told';
    END IF;
    INSERT INTO waiters VALUES (who, t) ON CONFLICT DO NOTHING;
    RETURN 'waits';
END $$;
