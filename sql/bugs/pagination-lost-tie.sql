-- Planted in pagination.sql: the next page starts with the next lower score. Posts that have the same score as
-- the last post seen, but were not on its page, are on no page.
--
-- shortest: 4
--   posts_1 = create(score=0, title="")
--   posts_2 = create(score=0, title="")
--   seen_1 = first_page(size=1, by_index=False)
--   next_page(last=seen_1, size=1, by_index=False)
-- Seen in the fourth step: the other post should be on the page, but is not.

CREATE OR REPLACE FUNCTION page_after(last_score integer, last_id bigint, size integer) RETURNS SETOF posts
LANGUAGE sql STABLE
AS $$
    SELECT * FROM posts
     WHERE score < last_score
     ORDER BY score DESC, id DESC LIMIT size
$$;
