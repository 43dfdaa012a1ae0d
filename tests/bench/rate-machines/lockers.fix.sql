CREATE OR REPLACE FUNCTION cancel(locker_number integer) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM reservations WHERE locker = locker_number;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    UPDATE lockers SET state = 'free' WHERE number = locker_number AND state = 'reserved';
    UPDATE lockers SET before_block = 'free' WHERE number = locker_number AND state = 'blocked';
    RETURN true;
END $$;
