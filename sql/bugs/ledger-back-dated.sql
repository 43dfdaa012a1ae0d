-- Planted in ledger.sql: an entry takes its balance from the entry before it, but the balances of later days
-- are not updated. Nothing goes wrong as long as transfers are booked in the order of their days.
--
-- shortest: 2
--   booked_1 = transfer(sender=accounts_1, receiver=accounts_2, amount=0.01, day="2024-02-27")
--   booked_2 = transfer(sender=accounts_1, receiver=accounts_2, amount=0.01, day="2024-02-26")
-- Seen by the invariant `statements`: the later entry's balance lacks the earlier amount.

CREATE OR REPLACE FUNCTION post(transfer bigint, account bigint, day date, change numeric) RETURNS void
LANGUAGE plpgsql
AS $$
DECLARE
    before numeric;
BEGIN
    SELECT balance_after INTO before FROM entries
     WHERE account_id = account AND booked_on <= day
     ORDER BY booked_on DESC, id DESC LIMIT 1;
    INSERT INTO entries (transfer_id, account_id, booked_on, amount, balance_after)
        VALUES (transfer, account, day, change, coalesce(before, 0) + change);
    UPDATE accounts SET balance = balance + change WHERE id = account;
END
$$;
