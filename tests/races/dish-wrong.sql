CREATE OR REPLACE FUNCTION done(s integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE these integer[]; n integer;
BEGIN
    UPDATE steps SET done = true WHERE id = s AND NOT done;
    IF NOT FOUND THEN RETURN NULL; END IF;
    these := ARRAY(SELECT dish FROM needs WHERE step = s);
    PERFORM FROM needs WHERE dish = ANY (these) ORDER BY dish, step FOR KEY SHARE;
    DELETE FROM needs WHERE step = s;
    UPDATE dishes AS d SET ready = true WHERE id = ANY (these) AND NOT EXISTS (SELECT FROM needs WHERE dish = d.id);
    GET DIAGNOSTICS n = ROW_COUNT;
    RETURN n;
END $$;
