-- The minute slides.
CREATE OR REPLACE FUNCTION send(by_key integer) RETURNS boolean
LANGUAGE plpgsql
AS $$
DECLARE
    of_minute bigint := (SELECT count(*) FROM messages WHERE key = by_key AND at > now() - interval '1 minute');
    of_hour   bigint := (SELECT count(*) FROM messages WHERE key = by_key AND at >= date_trunc('hour', now()));
BEGIN
    IF of_minute >= 2 OR of_hour >= 5 THEN
        RETURN false;
    END IF;
    INSERT INTO messages (key) VALUES (by_key);
    RETURN true;
END $$;
