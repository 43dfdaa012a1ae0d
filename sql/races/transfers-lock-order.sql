-- Planted in transfers.sql: transfer locks first the account that pays, then the one that receives. Two transfers in
-- opposite directions deadlock.
--
-- shortest: 2 steps, 1 switch, 1 gate
--   A1  transfer(payer=1, amount=1)
--   B1  transfer(payer=2, amount=1)

CREATE OR REPLACE FUNCTION transfer(from_account integer, to_account integer, amount integer) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
    UPDATE accounts SET balance = balance - amount WHERE id = from_account;
    UPDATE accounts SET balance = balance + amount WHERE id = to_account;
END
$$;
