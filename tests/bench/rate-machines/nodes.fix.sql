CREATE OR REPLACE FUNCTION begin_upgrade(p_host text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE nodes
       SET state = 'upgrading',
           cordoned_before = CASE state WHEN 'failed' THEN cordoned_before ELSE cordoned END,
           cordoned = true
     WHERE host = p_host AND state IN ('ready', 'failed');
    IF NOT FOUND THEN PERFORM wrong_state(p_host); END IF;
END $$;
