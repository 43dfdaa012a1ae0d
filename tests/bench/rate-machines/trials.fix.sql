CREATE OR REPLACE FUNCTION extend(account integer) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE accounts SET ends_on = ends_on + 7, rest = rest + 7, extended = true
     WHERE id = account AND NOT extended
       AND (plan = 'paused' OR plan = 'trial' AND ends_on > today());
    RETURN FOUND;
END $$;
