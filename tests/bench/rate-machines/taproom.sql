-- The taps of a bar. A tap pours one beer at a time; a line that has poured must be cleaned before the next
-- beer. At night a tap is shut: its beer is parked and comes back when the tap is opened again.

CREATE DOMAIN tap_no AS integer CHECK (VALUE BETWEEN 1 AND 12);

CREATE TABLE taps (
    no     tap_no PRIMARY KEY,
    beer   text,
    parked text,
    shut   boolean NOT NULL DEFAULT false,
    dirty  boolean NOT NULL DEFAULT false,
    CONSTRAINT shut_pours_nothing CHECK (NOT shut OR beer IS NULL)
);

CREATE TABLE prices (
    beer  text PRIMARY KEY,
    cents integer NOT NULL CHECK (cents > 0)
);

INSERT INTO taps (no) SELECT generate_series(1, 12);

CREATE FUNCTION connect(tap tap_no, new_beer text) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE taps SET beer = new_beer WHERE no = tap AND beer IS NULL AND NOT shut AND NOT dirty;
    RETURN FOUND;
END $$;

CREATE FUNCTION pour(tap tap_no) RETURNS text
LANGUAGE sql AS $$
    UPDATE taps SET dirty = true WHERE no = tap AND beer IS NOT NULL RETURNING beer
$$;

-- The keg goes back to the cellar.
CREATE FUNCTION disconnect(tap tap_no) RETURNS void
LANGUAGE sql AS $$
    UPDATE taps SET beer = NULL WHERE no = tap
$$;

CREATE FUNCTION clean(tap tap_no) RETURNS void
LANGUAGE sql AS $$
    UPDATE taps SET dirty = false WHERE no = tap AND beer IS NULL
$$;

CREATE FUNCTION shut(tap tap_no) RETURNS void
LANGUAGE sql AS $$
    UPDATE taps SET shut = true, parked = beer, beer = NULL WHERE no = tap AND NOT shut
$$;

CREATE FUNCTION reopen(tap tap_no) RETURNS void
LANGUAGE sql AS $$
    UPDATE taps SET shut = false, beer = parked, parked = NULL WHERE no = tap AND shut
$$;

CREATE VIEW menu AS
SELECT no, beer, cents FROM taps LEFT JOIN prices USING (beer) WHERE beer IS NOT NULL;
