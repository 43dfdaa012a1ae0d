-- The same minute of any hour counts.
CREATE OR REPLACE FUNCTION send(by_key integer) RETURNS boolean
LANGUAGE plpgsql
AS $$
DECLARE
    of_minute bigint := (SELECT count(*) FROM messages
                         WHERE key = by_key AND extract(minute FROM at) = extract(minute FROM now())
                           AND at::date = current_date);
    of_hour   bigint := (SELECT count(*) FROM messages WHERE key = by_key AND at >= date_trunc('hour', now()));
BEGIN
    IF of_minute >= 2 OR of_hour >= 5 THEN
        RETURN false;
    END IF;
    INSERT INTO messages (key) VALUES (by_key);
    RETURN true;
END $$;
