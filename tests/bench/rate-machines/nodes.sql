CREATE TABLE nodes (
    host           text PRIMARY KEY CHECK (host ~ '^[a-z][a-z0-9-]*$'),
    state          text NOT NULL DEFAULT 'joining' CHECK (state IN ('joining', 'ready', 'upgrading', 'failed')),
    cordoned       boolean NOT NULL DEFAULT false,
    cordoned_before boolean,            -- what an upgrade restores when it is over
    version        integer NOT NULL DEFAULT 1
);

CREATE FUNCTION wrong_state(p_host text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'node % is not in the right state', p_host USING ERRCODE = 'NS001';
END $$;

CREATE FUNCTION report_ready(p_host text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE nodes SET state = 'ready' WHERE host = p_host AND state = 'joining';
    IF NOT FOUND THEN PERFORM wrong_state(p_host); END IF;
END $$;

CREATE FUNCTION set_cordon(p_host text, p_cordoned boolean) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE nodes SET cordoned = p_cordoned WHERE host = p_host AND state IN ('joining', 'ready');
    IF NOT FOUND THEN PERFORM wrong_state(p_host); END IF;
END $$;

-- Nothing is scheduled on a node that is being upgraded. A failed upgrade can be begun again.
CREATE FUNCTION begin_upgrade(p_host text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE nodes
       SET state = 'upgrading', cordoned_before = cordoned, cordoned = true
     WHERE host = p_host AND state IN ('ready', 'failed');
    IF NOT FOUND THEN PERFORM wrong_state(p_host); END IF;
END $$;

CREATE FUNCTION finish_upgrade(p_host text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE nodes
       SET state = 'ready', cordoned = cordoned_before, cordoned_before = NULL, version = version + 1
     WHERE host = p_host AND state = 'upgrading';
    IF NOT FOUND THEN PERFORM wrong_state(p_host); END IF;
END $$;

CREATE FUNCTION fail_upgrade(p_host text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE nodes SET state = 'failed' WHERE host = p_host AND state = 'upgrading';
    IF NOT FOUND THEN PERFORM wrong_state(p_host); END IF;
END $$;

CREATE FUNCTION abandon_upgrade(p_host text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE nodes
       SET state = 'ready', cordoned = cordoned_before, cordoned_before = NULL
     WHERE host = p_host AND state = 'failed';
    IF NOT FOUND THEN PERFORM wrong_state(p_host); END IF;
END $$;

CREATE FUNCTION remove_node(p_host text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM nodes WHERE host = p_host AND state = 'ready' AND cordoned;
    IF NOT FOUND THEN PERFORM wrong_state(p_host); END IF;
END $$;
