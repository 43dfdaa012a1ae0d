-- Planted in pagination.sql: pages by offset are sorted by score alone, which leaves the order of ties open.
-- Ties come in the right order only while the planner uses the index.
--
-- shortest: 3
--   posts_1 = create(score=0, title="")
--   posts_2 = create(score=0, title="")
--   offset_page(skip=0, size=1, by_index=False)
-- Seen in the third step: the page has the older post instead of the newer one.

CREATE OR REPLACE FUNCTION page_at(skip bigint, size integer) RETURNS SETOF posts
LANGUAGE sql STABLE
AS $$
    SELECT * FROM posts ORDER BY score DESC OFFSET skip LIMIT size
$$;
