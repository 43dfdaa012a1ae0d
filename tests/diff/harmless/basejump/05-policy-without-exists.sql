-- Writes the policy that keeps primary owners without NOT EXISTS. Harmless: every account has one primary owner, and an
-- owner of the account sees it.

ALTER POLICY remove ON basejump.account_user
    USING (basejump.role_of_caller(account_id) = 'owner'
           AND user_id IS DISTINCT FROM (SELECT a.primary_owner_user_id FROM basejump.accounts AS a
                                          WHERE a.id = account_user.account_id));
