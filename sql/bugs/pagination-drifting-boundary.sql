-- Planted in pagination.sql: the next page skips one post, which is meant to be the last post of the previous
-- page. If that post was deleted, the page skips a post that the reader has not seen.
--
-- shortest: 5
--   posts_1 = create(score=0, title="")
--   posts_2 = create(score=0, title="")
--   seen_1 = first_page(size=1, by_index=False)
--   delete(post=posts_2)
--   next_page(last=seen_1, size=1, by_index=False)
-- Seen in the fifth step: the other post should be on the page, but is not.

CREATE OR REPLACE FUNCTION page_after(last_score integer, last_id bigint, size integer) RETURNS SETOF posts
LANGUAGE sql STABLE
AS $$
    SELECT * FROM posts
     WHERE (score, id) <= (last_score, last_id)
     ORDER BY score DESC, id DESC OFFSET 1 LIMIT size
$$;
