-- Planted in transfers.sql: transfer locks first the account that pays, then the one that receives. Two transfers in
-- opposite directions deadlock.

CREATE OR REPLACE FUNCTION transfer(from_account integer, to_account integer, amount integer) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
    UPDATE accounts SET balance = balance - amount WHERE id = from_account;
    UPDATE accounts SET balance = balance + amount WHERE id = to_account;
END
$$;
