-- The best players of a game. Of those with the same score, the one who reached it first is ahead.

CREATE TABLE players (
    name text PRIMARY KEY
);

CREATE TABLE best (
    player  text PRIMARY KEY REFERENCES players,
    score   integer NOT NULL,
    reached bigint NOT NULL                      -- the number of the round
);

CREATE TABLE rounds (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    player text NOT NULL REFERENCES players ON DELETE CASCADE,
    score  integer NOT NULL
);

CREATE FUNCTION keep_best() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO best AS b VALUES (NEW.player, NEW.score, NEW.number)
    ON CONFLICT (player) DO UPDATE SET score = EXCLUDED.score, reached = EXCLUDED.reached
     WHERE EXCLUDED.score >= b.score;
    RETURN NULL;
END $$;

CREATE TRIGGER keep_best AFTER INSERT ON rounds FOR EACH ROW EXECUTE FUNCTION keep_best();

INSERT INTO players VALUES ('ann'), ('ben'), ('cleo'), ('dan'), ('eve'), ('finn'), ('gus'), ('hana');

CREATE FUNCTION leaders(page integer) RETURNS TABLE (player text, score integer)
LANGUAGE sql STABLE AS $$
    SELECT player, score FROM best ORDER BY score DESC, reached OFFSET 3 * (page - 1) LIMIT 3
$$;
