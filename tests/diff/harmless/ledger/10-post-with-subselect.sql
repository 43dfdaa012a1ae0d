-- Rewrites post: a subselect of the insert finds the balance before the entry. Harmless: it is the same balance, and the
-- statements come in the same order.

CREATE OR REPLACE FUNCTION post(transfer bigint, account bigint, day date, change numeric) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
    INSERT INTO entries (transfer_id, account_id, booked_on, amount, balance_after)
    SELECT transfer, account, day, change,
           change + coalesce((SELECT e.balance_after FROM entries AS e
                               WHERE e.account_id = account AND e.booked_on <= day
                               ORDER BY e.booked_on DESC, e.id DESC
                               FETCH FIRST ROW ONLY), 0);
    UPDATE entries AS e SET balance_after = e.balance_after + change
     WHERE e.account_id = account AND e.booked_on > day;
    UPDATE accounts AS a SET balance = a.balance + change WHERE a.id = account;
END
$$;
