CREATE TABLE connectors (
    no           integer PRIMARY KEY,
    status       text NOT NULL DEFAULT 'available' CHECK (status IN
                 ('available', 'reserved', 'preparing', 'charging', 'suspended', 'finishing', 'faulted')),
    plugged      boolean NOT NULL DEFAULT false,
    before_fault text,
    CHECK ((status = 'faulted') = (before_fault IS NOT NULL))
);
INSERT INTO connectors (no) SELECT generate_series(1, 12);

CREATE TABLE sessions (
    id        integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    connector integer NOT NULL REFERENCES connectors,
    ended     boolean NOT NULL DEFAULT false
);
CREATE UNIQUE INDEX one_open_session ON sessions (connector) WHERE NOT ended;

CREATE FUNCTION transition(p_no integer, p_from text[], p_to text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE connectors SET status = p_to WHERE no = p_no AND status = ANY (p_from);
    IF NOT FOUND THEN
        RAISE EXCEPTION 'connector % can not become %', p_no, p_to USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
END $$;

CREATE FUNCTION plug_in(p_no integer) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM transition(p_no, '{available,reserved}', 'preparing');
    UPDATE connectors SET plugged = true WHERE no = p_no;
END $$;

CREATE FUNCTION start_charging(p_no integer) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM transition(p_no, '{preparing}', 'charging');
    INSERT INTO sessions (connector) VALUES (p_no);
END $$;

CREATE FUNCTION stop_charging(p_no integer) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM transition(p_no, '{charging,suspended}', 'finishing');
    UPDATE sessions SET ended = true WHERE connector = p_no AND NOT ended;
END $$;

CREATE FUNCTION fault(p_no integer) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE connectors
       SET before_fault = CASE status WHEN 'reserved' THEN 'available' ELSE status END,
           status = 'faulted'
     WHERE no = p_no AND status <> 'faulted';
    IF NOT FOUND THEN
        RAISE EXCEPTION 'connector % is faulted already', p_no USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
END $$;

CREATE FUNCTION clear_fault(p_no integer) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE connectors SET status = before_fault, before_fault = NULL WHERE no = p_no AND status = 'faulted';
    IF NOT FOUND THEN
        RAISE EXCEPTION 'connector % is not faulted', p_no USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
END $$;

-- While the car is charging the cable is locked. A fault releases the lock.
CREATE FUNCTION unplug(p_no integer) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE c connectors;
BEGIN
    SELECT * INTO c FROM connectors WHERE no = p_no FOR UPDATE;
    IF NOT c.plugged OR c.status IN ('charging', 'suspended') THEN
        RAISE EXCEPTION 'connector % can not be unplugged', p_no USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
    IF c.status = 'faulted' THEN
        UPDATE sessions SET ended = true WHERE connector = p_no AND NOT ended;
        UPDATE connectors
           SET plugged = false,
               before_fault = CASE WHEN before_fault IN ('preparing', 'charging', 'finishing')
                                   THEN 'available' ELSE before_fault END
         WHERE no = p_no;
    ELSE
        UPDATE connectors SET plugged = false, status = 'available' WHERE no = p_no;
    END IF;
END $$;
