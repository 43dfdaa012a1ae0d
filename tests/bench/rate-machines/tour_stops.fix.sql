CREATE OR REPLACE FUNCTION remove_stop(p_stop bigint) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
    s stops;
BEGIN
    DELETE FROM stops WHERE id = p_stop AND NOT visited RETURNING * INTO s;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    IF s.prev_id IS NULL THEN
        UPDATE tours SET first_stop = s.next_id WHERE id = s.tour;
    ELSE
        UPDATE stops SET next_id = s.next_id WHERE id = s.prev_id;
    END IF;
    UPDATE stops SET prev_id = s.prev_id WHERE id = s.next_id;
    RETURN true;
END $$;
