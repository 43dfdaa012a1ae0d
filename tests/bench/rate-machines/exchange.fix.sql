CREATE OR REPLACE FUNCTION end_partnership(p_office integer) RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    DELETE FROM partnership
    WHERE requester = me() AND addressee = p_office
       OR requester = p_office AND addressee = me();
END $$;
