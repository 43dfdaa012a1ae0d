-- Planted in subscriptions.sql: a payment in grace begins a period now, so that grace is for nothing.
--
-- shortest: 4
--   accounts_1 = sign_up()
--   pay(account=accounts_1)
--   wait(by="45 days")
--   pay(account=accounts_1)
-- Seen in the fourth step: 2026-03-16 00:00:30+00 is expected, but 2026-03-17 00:00:30+00 is returned. After two days
-- more, grace would be over, and the answer right.

CREATE OR REPLACE FUNCTION pay(by_account integer) RETURNS timestamptz
LANGUAGE sql
AS $$
    UPDATE accounts AS a
       SET paid_until = greatest(coalesce(a.paid_until, a.trial_ends), now()) + interval '30 days', renews = true
     WHERE a.id = by_account
    RETURNING a.paid_until
$$;
