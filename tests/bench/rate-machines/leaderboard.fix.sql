CREATE OR REPLACE FUNCTION keep_best() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO best AS b VALUES (NEW.player, NEW.score, NEW.number)
    ON CONFLICT (player) DO UPDATE SET score = EXCLUDED.score, reached = EXCLUDED.reached
     WHERE EXCLUDED.score > b.score;
    RETURN NULL;
END $$;
