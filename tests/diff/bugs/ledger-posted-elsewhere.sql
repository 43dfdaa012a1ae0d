-- transfer exchanges two ids: each account's entry is posted to the other account, with the sign of its own.
-- shortest: 3 requests
--   a = SELECT open_account('a', true)
--   b = SELECT open_account('b', true)
--   SELECT transfer(:a, :b, 1, '2024-01-01')
-- No sum of entries changes, and both ids are ones that the server made.

CREATE OR REPLACE FUNCTION transfer(sender bigint, receiver bigint, amount numeric, day date,
                                    reversed bigint DEFAULT NULL) RETURNS bigint
LANGUAGE plpgsql
AS $$
DECLARE
    transfer bigint;
BEGIN
    PERFORM FROM accounts WHERE id IN (sender, receiver) ORDER BY id FOR UPDATE;
    INSERT INTO transfers (from_account, to_account, amount, booked_on, reverses)
        VALUES (sender, receiver, amount, day, reversed)
        RETURNING id INTO transfer;
    PERFORM post(transfer, account, day, change)
       FROM (VALUES (sender, amount), (receiver, -amount)) AS v (account, change);
    PERFORM check_overdraft(sender);
    RETURN transfer;
END
$$;
