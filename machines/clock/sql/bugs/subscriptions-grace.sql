-- Planted in subscriptions.sql: the calls of an account in grace are hidden from it.
--
-- shortest: 5
--   accounts_1 = sign_up()
--   pay(account=accounts_1)
--   call(account=accounts_1)
--   wait(by="44 days")
--   history(account=accounts_1)
-- Seen in the fifth step: 1 is expected, but 0 is returned. Three days later the account has expired.

DROP POLICY own ON calls;
CREATE POLICY own ON calls FOR SELECT TO pgfsm_customer
    USING (account = current_setting('app.account')::integer
           AND EXISTS (SELECT FROM standing AS s WHERE s.account = calls.account AND s.state = 'active'));
