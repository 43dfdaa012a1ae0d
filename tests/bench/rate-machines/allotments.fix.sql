CREATE OR REPLACE FUNCTION decline(p_application bigint) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE applications
    SET state = 'waiting', ticket = draw_ticket(site)
    WHERE id = p_application AND state = 'offered';
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    UPDATE plots SET holder = NULL WHERE holder = p_application;
    RETURN true;
END $$;
