-- The docks of a warehouse. Trucks load or unload; a guard may block a dock at any time and give it back later.
CREATE TYPE dock_state AS ENUM ('free', 'reserved', 'loading', 'unloading', 'paused', 'blocked', 'dirty');

CREATE TABLE dock (
    code       text PRIMARY KEY CHECK (code ~ '^[NS][1-4]$'),
    state      dock_state NOT NULL DEFAULT 'free',
    prev_state dock_state,                      -- where resume and unblock return to
    truck      text,
    pallets    integer NOT NULL DEFAULT 0 CHECK (pallets >= 0),
    CONSTRAINT truck_present CHECK (truck IS NULL OR state NOT IN ('free', 'dirty'))
);
INSERT INTO dock (code) SELECT s || n FROM unnest('{N,S}'::text[]) AS s, generate_series(1, 4) AS n;

CREATE FUNCTION dock_pause(d text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    UPDATE dock SET state = 'paused', prev_state = state
    WHERE code = d AND state IN ('loading', 'unloading');
    RETURN FOUND;
END $$;

CREATE FUNCTION dock_resume(d text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    UPDATE dock SET state = prev_state, prev_state = NULL
    WHERE code = d AND state = 'paused';
    RETURN FOUND;
END $$;

CREATE FUNCTION dock_block(d text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    UPDATE dock SET state = 'blocked', prev_state = state
    WHERE code = d AND state <> 'blocked';
    RETURN FOUND;
END $$;

CREATE FUNCTION dock_unblock(d text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    UPDATE dock SET state = prev_state
    WHERE code = d AND state = 'blocked';
    RETURN FOUND;
END $$;

-- Work that was paused, by itself or below a block, still counts as work.
CREATE VIEW busy AS
SELECT code, truck FROM dock WHERE state IN ('loading', 'unloading', 'paused') OR state = 'blocked' AND truck IS NOT NULL;
