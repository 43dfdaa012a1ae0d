-- A bus with two seats.
CREATE TABLE passengers (name text NOT NULL);

CREATE FUNCTION board(who text) RETURNS boolean
LANGUAGE plpgsql
AS $$
BEGIN
    LOCK TABLE passengers IN SHARE ROW EXCLUSIVE MODE;
    INSERT INTO passengers SELECT who WHERE (SELECT count(*) FROM passengers) < 2;
    RETURN FOUND;
END
$$;
