-- A list of posts, best first, that users read page by page while posts are added and deleted. There are two
-- ways to page. By offset, a page holds the posts that are at its positions now. By key, the next page starts
-- after the last post that the reader has seen, even if that post has been deleted.

CREATE TABLE posts (
    id    bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    score integer NOT NULL,
    title text NOT NULL
);
CREATE INDEX posts_by_score ON posts (score DESC, id DESC); -- the order of pages; the id breaks ties

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
