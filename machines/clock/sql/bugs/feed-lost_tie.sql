-- Planted in feed.sql: a page goes on behind the time of the last post. Others of the same time are in no page.
--
-- shortest: 3
--   posts_1 = post(author="ann")
--   posts_2 = post(author="bob")
--   page(behind=posts_2)
-- Seen in the third step: the first post is expected, but there is none.

CREATE OR REPLACE FUNCTION page(behind bigint) RETURNS SETOF bigint
LANGUAGE sql
AS $$
    SELECT p.id FROM posts AS p, posts AS last
     WHERE last.id = behind AND p.at < last.at
     ORDER BY p.at DESC, p.id DESC
     LIMIT 2
$$;
