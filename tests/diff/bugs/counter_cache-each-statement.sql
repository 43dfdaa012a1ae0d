-- The trigger fires once for each statement, and counts one comment for a post that gets several at once.
-- shortest: 2 requests
--   INSERT INTO posts VALUES (1, 0)
--   INSERT INTO comments VALUES (1, 1), (2, 1)

DROP TRIGGER count_comment ON comments;
DROP FUNCTION count_comment();

CREATE FUNCTION count_new_comments() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    UPDATE posts SET comments = comments + 1 WHERE id IN (SELECT post FROM changed);
    RETURN NULL;
END
$$;

CREATE FUNCTION count_old_comments() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    UPDATE posts SET comments = comments - 1 WHERE id IN (SELECT post FROM changed);
    RETURN NULL;
END
$$;

CREATE TRIGGER count_new_comments AFTER INSERT ON comments REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION count_new_comments();
CREATE TRIGGER count_old_comments AFTER DELETE ON comments REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION count_old_comments();
