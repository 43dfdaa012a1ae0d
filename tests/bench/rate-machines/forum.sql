-- The forum of a neighbourhood. Comments that three neighbours flag are hidden until a moderator looks at them.
CREATE TABLE neighbour (
    name     text PRIMARY KEY,
    comments integer NOT NULL DEFAULT 0      -- how many of theirs are visible
);
INSERT INTO neighbour (name) VALUES ('Ada'), ('Bo'), ('Cy'), ('Di'), ('Ed'), ('Flo');

CREATE TABLE post (
    id       integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    author   text NOT NULL REFERENCES neighbour,
    closed   boolean NOT NULL DEFAULT false,
    comments integer NOT NULL DEFAULT 0      -- how many are visible
);

CREATE TABLE comment (
    id     integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    post   integer NOT NULL REFERENCES post ON DELETE CASCADE,
    author text NOT NULL REFERENCES neighbour,
    hidden boolean NOT NULL DEFAULT false,
    cleared boolean NOT NULL DEFAULT false,  -- a moderator has said that it may stay
    flags  integer NOT NULL DEFAULT 0
);

CREATE TABLE flag (
    comment integer NOT NULL REFERENCES comment ON DELETE CASCADE,
    by      text NOT NULL REFERENCES neighbour,
    PRIMARY KEY (comment, by)
);

CREATE FUNCTION count_comment(p_post integer, p_author text, p_by integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    UPDATE post SET comments = comments + p_by WHERE id = p_post;
    UPDATE neighbour SET comments = comments + p_by WHERE name = p_author;
END $$;

CREATE FUNCTION comment_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        PERFORM count_comment(NEW.post, NEW.author, 1);
    ELSIF NOT OLD.hidden THEN
        PERFORM count_comment(OLD.post, OLD.author, -1);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER comment_counts AFTER INSERT OR DELETE ON comment FOR EACH ROW EXECUTE FUNCTION comment_counts();

CREATE FUNCTION flag_added() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE c comment;
BEGIN
    UPDATE comment SET flags = flags + 1 WHERE id = NEW.comment RETURNING * INTO c;
    IF c.flags >= 3 AND NOT c.cleared THEN
        UPDATE comment SET hidden = true WHERE id = c.id;
        PERFORM count_comment(c.post, c.author, -1);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER flag_added AFTER INSERT ON flag FOR EACH ROW EXECUTE FUNCTION flag_added();

-- A neighbour takes a flag back. The comment stays hidden: only a moderator shows it again.
CREATE FUNCTION flag_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE comment SET flags = flags - 1 WHERE id = OLD.comment;
    RETURN NULL;
END $$;
CREATE TRIGGER flag_removed AFTER DELETE ON flag FOR EACH ROW EXECUTE FUNCTION flag_removed();

CREATE FUNCTION write_comment(p_post integer, p_author text) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE new_id integer;
BEGIN
    IF (SELECT closed FROM post WHERE id = p_post) THEN
        RAISE EXCEPTION 'post is closed' USING ERRCODE = 'FO001';
    END IF;
    INSERT INTO comment (post, author) VALUES (p_post, p_author) RETURNING id INTO new_id;
    RETURN new_id;
END $$;

CREATE FUNCTION flag_comment(p_comment integer, p_by text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    IF (SELECT author FROM comment WHERE id = p_comment) = p_by THEN
        RAISE EXCEPTION 'this is your own comment' USING ERRCODE = 'FO002';
    END IF;
    INSERT INTO flag VALUES (p_comment, p_by) ON CONFLICT DO NOTHING;
    RETURN FOUND;
END $$;

-- A moderator finds nothing wrong with a comment.
CREATE FUNCTION clear_comment(p_comment integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE c comment;
BEGIN
    SELECT * INTO STRICT c FROM comment WHERE id = p_comment FOR UPDATE;
    UPDATE comment SET hidden = false, cleared = true WHERE id = p_comment;
    IF c.hidden THEN
        PERFORM count_comment(c.post, c.author, 1);
    END IF;
END $$;
