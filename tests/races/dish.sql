CREATE TABLE steps (id integer PRIMARY KEY, done boolean NOT NULL DEFAULT false);
CREATE TABLE dishes (id integer PRIMARY KEY, ready boolean NOT NULL DEFAULT false);
CREATE TABLE needs (dish integer REFERENCES dishes, step integer REFERENCES steps, PRIMARY KEY (dish, step));
INSERT INTO steps VALUES (1), (2), (3);
INSERT INTO dishes VALUES (1), (2);
INSERT INTO needs VALUES (1, 1), (1, 2), (2, 2), (2, 3);
CREATE FUNCTION done(s integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE these integer[]; n integer;
BEGIN
    UPDATE steps SET done = true WHERE id = s AND NOT done;
    IF NOT FOUND THEN RETURN NULL; END IF;
    these := ARRAY(SELECT dish FROM needs WHERE step = s);
    PERFORM FROM dishes WHERE id = ANY (these) ORDER BY id FOR NO KEY UPDATE;
    PERFORM FROM needs WHERE dish = ANY (these) ORDER BY dish, step FOR KEY SHARE;
    DELETE FROM needs WHERE step = s;
    UPDATE dishes AS d SET ready = true WHERE id = ANY (these) AND NOT EXISTS (SELECT FROM needs WHERE dish = d.id);
    GET DIAGNOSTICS n = ROW_COUNT;
    RETURN n;
END $$;
