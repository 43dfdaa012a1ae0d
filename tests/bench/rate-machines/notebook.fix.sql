CREATE OR REPLACE FUNCTION add_entry(p_project integer, p_body text) RETURNS entry LANGUAGE plpgsql AS $$
DECLARE
    last_number integer;
    e           entry;
BEGIN
    PERFORM FROM project WHERE id = p_project AND NOT archived FOR UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'project is archived' USING ERRCODE = 'LN001';
    END IF;
    SELECT max(split_part(label, '-', 2)::integer) INTO last_number FROM entry WHERE project = p_project;
    INSERT INTO entry (project, label, body)
    VALUES (p_project, 'E-' || COALESCE(last_number, 0) + 1, p_body)
    RETURNING * INTO e;
    RETURN e;
END $$;
