-- A puzzle game. Two gems of the same level melt into one of the next, and the player scores.

CREATE TABLE players (
    name  text PRIMARY KEY,
    score integer NOT NULL DEFAULT 0
);

INSERT INTO players VALUES ('ann'), ('ben');

CREATE TABLE gems (
    id    integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    owner text NOT NULL REFERENCES players,
    level integer NOT NULL DEFAULT 1 CHECK (level > 0)
);

-- Ten points for level 2, and for each higher level three times the points of the level below.
CREATE FUNCTION points(level integer) RETURNS integer
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE level WHEN 2 THEN 10 WHEN 3 THEN 30 ELSE 0 END
$$;

-- Returns the level of the new gem, which keeps the id of the first. If the two do not fit, changes nothing.
CREATE FUNCTION melt(first integer, second integer) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
    a gems;
    b gems;
BEGIN
    SELECT * INTO a FROM gems WHERE id = first;
    SELECT * INTO b FROM gems WHERE id = second;
    IF a.id = b.id OR a.level <> b.level OR a.owner <> b.owner THEN
        RETURN NULL;
    END IF;
    DELETE FROM gems WHERE id = second;
    UPDATE gems SET level = a.level + 1 WHERE id = first;
    UPDATE players SET score = score + points(a.level + 1) WHERE name = a.owner;
    RETURN a.level + 1;
END $$;
