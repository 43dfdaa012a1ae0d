-- Posts that hold the number of their comments, which a trigger keeps. Comments that come at the same time are all counted:
-- the trigger adds to what is there when it gets the row, and doesn't count again.

CREATE TABLE posts (
    id       integer PRIMARY KEY,
    comments integer NOT NULL
);

CREATE TABLE comments (
    id   integer PRIMARY KEY,
    post integer NOT NULL REFERENCES posts
);

CREATE FUNCTION count_comment() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        UPDATE posts SET comments = comments + 1 WHERE id = NEW.post;
    ELSE
        UPDATE posts SET comments = comments - 1 WHERE id = OLD.post;
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER count_comment AFTER INSERT OR DELETE ON comments
    FOR EACH ROW EXECUTE FUNCTION count_comment();
