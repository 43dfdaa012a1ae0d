-- The printers of an office, and the sheets that they put out.
CREATE TYPE printer_state AS ENUM ('ready', 'jammed', 'paused', 'service');

CREATE TABLE printer (
    name   text PRIMARY KEY,
    state  printer_state NOT NULL DEFAULT 'ready',
    before printer_state,                 -- what it was before it was paused or serviced
    paper  integer NOT NULL DEFAULT 20 CHECK (paper BETWEEN 0 AND 250),
    pages  bigint NOT NULL DEFAULT 0,
    owner  text
);
INSERT INTO printer (name)
VALUES ('attic'), ('archive'), ('board'), ('cellar'), ('design'), ('hall'), ('lab'), ('mailroom'), ('press'), ('shop');

CREATE VIEW printer_status AS
SELECT name, CASE WHEN state = 'ready' AND paper = 0 THEN 'empty' ELSE state::text END AS status, paper, pages
FROM printer;

CREATE FUNCTION print(which text, sheets integer) RETURNS integer LANGUAGE sql AS $$
    UPDATE printer SET paper = paper - least(paper, sheets), pages = pages + least(paper, sheets)
    WHERE name = which AND state = 'ready';
    SELECT paper FROM printer WHERE name = which
$$;

CREATE FUNCTION jam(which text) RETURNS boolean LANGUAGE sql AS $$
    WITH done AS (UPDATE printer SET state = 'jammed' WHERE name = which AND state = 'ready' RETURNING 1)
    SELECT EXISTS (SELECT FROM done)
$$;

CREATE FUNCTION clear_jam(which text) RETURNS boolean LANGUAGE sql AS $$
    WITH done AS (UPDATE printer SET state = 'ready' WHERE name = which AND state = 'jammed' RETURNING 1)
    SELECT EXISTS (SELECT FROM done)
$$;

-- A printer can be paused unless it is being serviced; it can be serviced in any state.
CREATE FUNCTION pause(which text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    UPDATE printer SET before = state, state = 'paused' WHERE name = which AND state IN ('ready', 'jammed');
    RETURN FOUND;
END $$;

CREATE FUNCTION resume(which text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    -- A paused printer that was serviced was paused before: it is fine now.
    UPDATE printer SET state = CASE before WHEN 'paused' THEN 'ready' ELSE before END, before = NULL
    WHERE name = which AND state = 'paused';
    RETURN FOUND;
END $$;

CREATE FUNCTION begin_service(which text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    UPDATE printer SET before = state, state = 'service' WHERE name = which AND state <> 'service';
    RETURN FOUND;
END $$;

CREATE FUNCTION end_service(which text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    UPDATE printer SET state = before WHERE name = which AND state = 'service';
    RETURN FOUND;
END $$;
