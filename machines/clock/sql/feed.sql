-- A feed, read by pages from the newest post on. Nobody posts twice within an hour.

CREATE TABLE posts (
    id     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    author text NOT NULL,
    at     timestamptz NOT NULL DEFAULT now()
);

CREATE FUNCTION post(by_author text) RETURNS bigint
LANGUAGE plpgsql
AS $$
DECLARE
    made bigint;
BEGIN
    IF EXISTS (SELECT FROM posts WHERE author = by_author AND at > now() - interval '1 hour') THEN
        RAISE 'one post an hour' USING ERRCODE = 'P0FED';
    END IF;
    INSERT INTO posts (author) VALUES (by_author) RETURNING id INTO made;
    RETURN made;
END $$;

-- The two posts behind this one; several may have the same time.
CREATE FUNCTION page(behind bigint) RETURNS SETOF bigint
LANGUAGE sql
AS $$
    SELECT p.id FROM posts AS p, posts AS last
     WHERE last.id = behind AND (p.at, p.id) < (last.at, last.id)
     ORDER BY p.at DESC, p.id DESC
     LIMIT 2
$$;
