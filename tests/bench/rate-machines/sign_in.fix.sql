CREATE OR REPLACE FUNCTION sign_in(right_password boolean) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
    a account;
BEGIN
    SELECT * INTO a FROM account;
    IF a.locked THEN
        RETURN false;
    ELSIF right_password THEN
        UPDATE account SET wrong = 0;
        RETURN true;
    END IF;
    UPDATE account SET wrong = wrong + 1, locked = (a.wrong + 1 >= 10);
    RETURN false;
END $$;
