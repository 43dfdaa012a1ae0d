CREATE OR REPLACE FUNCTION deploy(p_app integer) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
    v_app apps;
BEGIN
    SELECT * INTO v_app FROM apps WHERE id = p_app FOR UPDATE;
    IF v_app.locked OR v_app.suspended THEN
        RAISE EXCEPTION 'app % takes no deploys', p_app USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
    UPDATE apps SET builds = builds + 1 WHERE id = p_app;
    INSERT INTO builds (app_id, no) VALUES (p_app, v_app.builds + 1);
    -- keep the last ten, and the one that is live
    DELETE FROM builds b WHERE app_id = p_app AND no <= v_app.builds + 1 - 10
       AND NOT EXISTS (SELECT FROM releases r WHERE r.build_id = b.id);
    RETURN v_app.builds + 1;
END $$;
