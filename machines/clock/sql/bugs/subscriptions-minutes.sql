-- Planted in subscriptions.sql: the minute is that of the clock, and does not slide.
--
-- shortest: 5
--   accounts_1 = sign_up()
--   call(account=accounts_1)
--   call(account=accounts_1)
--   wait(by="00:00:30")
--   call(account=accounts_1)
-- Seen in the fifth step: P0RAT is expected, but there is no error. A wait of a minute would be too long.

CREATE OR REPLACE FUNCTION call(by_account integer) RETURNS integer
LANGUAGE plpgsql
AS $$
DECLARE
    its_state text := (SELECT state FROM standing WHERE account = by_account);
    recent    bigint := (SELECT count(*) FROM calls WHERE account = by_account AND at >= date_trunc('minute', now()));
    made      integer;
BEGIN
    IF its_state = 'expired' THEN
        RAISE 'payment required' USING ERRCODE = 'P0PAY';
    END IF;
    IF recent >= (CASE its_state WHEN 'grace' THEN 1 ELSE 2 END) THEN
        RAISE 'too many calls' USING ERRCODE = 'P0RAT';
    END IF;
    INSERT INTO calls (account) VALUES (by_account) RETURNING id INTO made;
    RETURN made;
END $$;
