-- Planted in counter_cache.sql: the trigger counts the comments. It doesn't see those that another session has inserted and not yet
-- committed. It waits for the other's post, and then writes a number that is too small.
--
-- shortest: 2 steps, 1 switch, 0 gates
--   A1  add(comment=1, post=1)
--   B1  add(comment=2, post=1)

CREATE OR REPLACE FUNCTION count_comment() RETURNS trigger
LANGUAGE plpgsql
AS $$
DECLARE
    changed integer := CASE TG_OP WHEN 'INSERT' THEN NEW.post ELSE OLD.post END;
BEGIN
    UPDATE posts SET comments = (SELECT count(*) FROM comments WHERE post = changed) WHERE id = changed;
    RETURN NULL;
END
$$;
