-- page_after includes the last post that the reader has seen: <= instead of <.
-- shortest: 2 requests
--   p = INSERT INTO posts (score, title) VALUES (1, 'a') RETURNING id
--   SELECT * FROM page_after(1, :p, 1)

CREATE OR REPLACE FUNCTION page_after(last_score integer, last_id bigint, size integer) RETURNS SETOF posts
LANGUAGE sql STABLE
AS $$
    SELECT * FROM posts
     WHERE score < last_score OR (score = last_score AND id <= last_id)
     ORDER BY score DESC, id DESC
     LIMIT size
$$;
