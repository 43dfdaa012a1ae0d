CREATE OR REPLACE FUNCTION flag_added() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE c comment;
BEGIN
    UPDATE comment SET flags = flags + 1 WHERE id = NEW.comment RETURNING * INTO c;
    IF c.flags >= 3 AND NOT c.cleared AND NOT c.hidden THEN
        UPDATE comment SET hidden = true WHERE id = c.id;
        PERFORM count_comment(c.post, c.author, -1);
    END IF;
    RETURN NULL;
END $$;
