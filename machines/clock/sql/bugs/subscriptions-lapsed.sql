-- Planted in subscriptions.sql: who has paid before and comes back after an expiry pays for the time between, too.
--
-- shortest: 4
--   accounts_1 = sign_up()
--   pay(account=accounts_1)
--   wait(by="47 days")
--   pay(account=accounts_1)
-- Seen in the fourth step: 2026-03-19 00:00:30+00 is expected, but 2026-03-16 00:00:30+00 is returned. A cancellation
-- makes it three days less, but is a step more.

CREATE OR REPLACE FUNCTION pay(by_account integer) RETURNS timestamptz
LANGUAGE sql
AS $$
    UPDATE accounts AS a
       SET paid_until = coalesce(a.paid_until, greatest(a.trial_ends, now())) + interval '30 days', renews = true
     WHERE a.id = by_account
    RETURNING a.paid_until
$$;
