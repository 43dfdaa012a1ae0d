-- A list of posts, best first, that is read page by page while posts come and go. Two ways to page:
-- by offset, where page n is what stands in its places now; and by key, where the next page is what comes
-- behind the last post that the reader has seen, whether or not that one is still there.

CREATE TABLE posts (
    id    bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    score integer NOT NULL,
    title text NOT NULL
);
CREATE INDEX posts_by_score ON posts (score DESC, id DESC); -- the order of pages; the id decides a tie

CREATE FUNCTION page_at(skip bigint, size integer) RETURNS SETOF posts
LANGUAGE sql STABLE
AS $$
    SELECT * FROM posts ORDER BY score DESC, id DESC OFFSET skip LIMIT size
$$;

CREATE FUNCTION page_after(last_score integer, last_id bigint, size integer) RETURNS SETOF posts
LANGUAGE sql STABLE
AS $$
    SELECT * FROM posts
     WHERE (score, id) < (last_score, last_id)
     ORDER BY score DESC, id DESC LIMIT size
$$;
