-- Rewrites transfer: a loop posts both entries, and the accounts are locked by a subselect. Harmless: the receiver's entry
-- still comes first, and the errors come in the same order.

CREATE OR REPLACE FUNCTION transfer(sender bigint, receiver bigint, amount numeric, day date,
                                    reversed bigint DEFAULT NULL) RETURNS bigint
LANGUAGE plpgsql
AS $$
DECLARE
    made   bigint;
    change record;
BEGIN
    PERFORM FROM accounts WHERE id = ANY (ARRAY[sender, receiver]) ORDER BY id FOR UPDATE;
    INSERT INTO transfers (from_account, to_account, amount, booked_on, reverses)
        VALUES (sender, receiver, transfer.amount, day, reversed)
        RETURNING id INTO made;
    FOR change IN
        SELECT * FROM (VALUES (1, receiver, transfer.amount), (2, sender, -transfer.amount)) AS v (turn, account, value)
         ORDER BY turn
    LOOP
        PERFORM post(made, change.account, day, change.value);
    END LOOP;
    PERFORM check_overdraft(sender);
    RETURN made;
END
$$;
