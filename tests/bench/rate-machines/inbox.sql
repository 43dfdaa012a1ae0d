-- The inbox of a help desk: urgent tickets first, then those that are due, then whoever waits longest.
CREATE TYPE priority AS ENUM ('low', 'normal', 'high', 'urgent');
CREATE SEQUENCE places;
CREATE TABLE tickets (
    id       integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    team     text NOT NULL,
    priority priority NOT NULL DEFAULT 'normal',
    due      date,
    place    bigint NOT NULL DEFAULT nextval('places'),   -- a new one whenever it enters the queue
    agent    text,
    done     boolean NOT NULL DEFAULT false
);
CREATE INDEX tickets_waiting ON tickets (team, priority DESC, due, place) WHERE agent IS NULL AND NOT done;

CREATE VIEW inbox AS
    SELECT id, team, row_number() OVER (PARTITION BY team ORDER BY priority DESC, due NULLS LAST, place, id) AS position
    FROM tickets WHERE agent IS NULL AND NOT done;

CREATE FUNCTION next_ticket(p_team text, p_agent text) RETURNS integer LANGUAGE sql AS $$
    UPDATE tickets SET agent = p_agent
    WHERE id = (SELECT id FROM tickets
                WHERE team = p_team AND agent IS NULL AND NOT done
                ORDER BY priority DESC, due NULLS LAST, place, id
                LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id
$$;

-- Back to the queue, behind those that are as urgent.
CREATE FUNCTION put_back(p_ticket integer, p_agent text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    UPDATE tickets SET agent = NULL, place = nextval('places') WHERE id = p_ticket AND agent = p_agent;
    RETURN FOUND;
END $$;

CREATE FUNCTION close_ticket(p_ticket integer) RETURNS void LANGUAGE sql AS $$
    UPDATE tickets SET done = true, agent = NULL WHERE id = p_ticket
$$;

CREATE FUNCTION reopen(p_ticket integer, p_priority priority) RETURNS void LANGUAGE sql AS $$
    UPDATE tickets SET done = false, priority = greatest(priority, p_priority), place = nextval('places')
    WHERE id = p_ticket AND done
$$;

-- To the front of those that are as urgent.
CREATE FUNCTION prefer(p_ticket integer) RETURNS void LANGUAGE sql AS $$
    UPDATE tickets SET place = 0 WHERE id = p_ticket
$$;
