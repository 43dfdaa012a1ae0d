-- Planted in feed.sql: the hour is one of local time. When the clocks are put back, an hour is two.
--
-- shortest: 3
--   posts_1 = post(author="ann")
--   wait(by="01:00:00")
--   post(author="ann")
-- Seen in the third step: no error is expected, but P0FED is raised.

CREATE OR REPLACE FUNCTION post(by_author text) RETURNS bigint
LANGUAGE plpgsql
AS $$
DECLARE
    made bigint;
BEGIN
    IF EXISTS (SELECT FROM posts WHERE author = by_author AND at::timestamp > LOCALTIMESTAMP - interval '1 hour') THEN
        RAISE 'one post an hour' USING ERRCODE = 'P0FED';
    END IF;
    INSERT INTO posts (author) VALUES (by_author) RETURNING id INTO made;
    RETURN made;
END $$;
