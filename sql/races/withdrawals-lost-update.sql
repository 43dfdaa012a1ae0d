-- Planted in withdrawals.sql: withdraw reads the balance without a lock, and writes what it computed from it. What
-- another session wrote in between is lost.
--
-- shortest: 2 steps, 1 switch, 0 gates
--   A1  deposit(account=1, amount=1)
--   B1  withdraw(account=1, amount=1)

CREATE OR REPLACE FUNCTION withdraw(from_account integer, amount integer) RETURNS integer
LANGUAGE plpgsql
AS $$
DECLARE
    held integer;
BEGIN
    SELECT balance INTO STRICT held FROM accounts WHERE id = from_account;
    IF held < amount THEN
        RAISE 'account % has only %', from_account, held USING ERRCODE = 'P0LOW';
    END IF;
    UPDATE accounts SET balance = held - amount WHERE id = from_account;
    INSERT INTO movements (account, amount) VALUES (from_account, -amount);
    RETURN held - amount;
END
$$;
