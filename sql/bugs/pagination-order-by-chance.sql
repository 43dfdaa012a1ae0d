-- Planted in pagination.sql: pages by offset are in the order of the score, and of posts with the same score
-- nothing is said. They come in the index's order as long as the planner takes the index.
--
-- shortest: 3
--   posts_1 = create(score=0, title="")
--   posts_2 = create(score=0, title="")
--   offset_page(skip=0, size=1, by_index=False)
-- Seen in the third step: the post on the page is the older one of the two.

CREATE OR REPLACE FUNCTION page_at(skip bigint, size integer) RETURNS SETOF posts
LANGUAGE sql STABLE
AS $$
    SELECT * FROM posts ORDER BY score DESC OFFSET skip LIMIT size
$$;
