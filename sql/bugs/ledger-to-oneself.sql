-- Planted in ledger.sql: both balances are read before either is written. If sender and receiver are the same
-- account, the second write overwrites the first, and the transfer creates money.
--
-- shortest: 1
--   transfer(sender=accounts_1, receiver=accounts_1, amount=0.01, day="2024-02-29")
-- Seen by the invariant `balances`: the account has 0.01 too much.

CREATE OR REPLACE FUNCTION transfer(sender bigint, receiver bigint, amount numeric, day date,
                                    reversed bigint DEFAULT NULL) RETURNS bigint
LANGUAGE plpgsql
AS $$
DECLARE
    transfer bigint;
    sender_has numeric := (SELECT balance FROM accounts WHERE id = sender FOR UPDATE);
    receiver_has numeric := (SELECT balance FROM accounts WHERE id = receiver FOR UPDATE);
BEGIN
    INSERT INTO transfers (from_account, to_account, amount, booked_on, reverses)
        VALUES (sender, receiver, amount, day, reversed)
        RETURNING id INTO transfer;
    PERFORM post(transfer, receiver, day, amount);
    PERFORM post(transfer, sender, day, -amount);
    PERFORM check_overdraft(sender);
    UPDATE accounts SET balance = sender_has - $3 WHERE id = sender;
    UPDATE accounts SET balance = receiver_has + $3 WHERE id = receiver;
    RETURN transfer;
END
$$;
