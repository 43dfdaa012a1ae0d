-- Whoever boards counts the others, who may board at the same time.
CREATE OR REPLACE FUNCTION board(who text) RETURNS boolean
LANGUAGE plpgsql
AS $$
BEGIN
    INSERT INTO passengers SELECT who WHERE (SELECT count(*) FROM passengers) < 2;
    RETURN FOUND;
END
$$;
