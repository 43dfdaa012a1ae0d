CREATE OR REPLACE FUNCTION unplug(p_no integer) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE c connectors;
BEGIN
    SELECT * INTO c FROM connectors WHERE no = p_no FOR UPDATE;
    IF NOT c.plugged OR c.status IN ('charging', 'suspended') THEN
        RAISE EXCEPTION 'connector % can not be unplugged', p_no USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
    IF c.status = 'faulted' THEN
        UPDATE sessions SET ended = true WHERE connector = p_no AND NOT ended;
        UPDATE connectors
           SET plugged = false,
               before_fault = 'available'
         WHERE no = p_no;
    ELSE
        UPDATE connectors SET plugged = false, status = 'available' WHERE no = p_no;
    END IF;
END $$;
