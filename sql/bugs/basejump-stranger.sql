-- Planted in basejump.sql, and true of basejump itself: update_account_user_role changes the role of a member, if
-- there is one, and then names the primary owner, who need not be a member. The account's primary owner is a
-- stranger to it.
--
-- shortest: 2
--   accounts_1 = create_account(actor=users_1)
--   update_role(account=accounts_1, actor=users_1, user=users_2, role="owner", make_primary=True)
-- Seen by the invariant `primary_owner_is_a_member`.

CREATE OR REPLACE FUNCTION update_account_user_role(
    account_id uuid, user_id uuid, new_account_role basejump.account_role, make_primary_owner boolean DEFAULT false
) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = basejump, pg_temp
AS $$
DECLARE
    account accounts;
BEGIN
    SELECT * INTO account FROM accounts WHERE id = update_account_user_role.account_id FOR UPDATE;
    IF role_of_caller(account.id) IS DISTINCT FROM 'owner' THEN
        RAISE 'only an owner may change roles';
    END IF;
    IF account.primary_owner_user_id <> auth.uid()
       AND (make_primary_owner OR account.primary_owner_user_id = update_account_user_role.user_id) THEN
        RAISE 'only the primary owner may change the primary owner';
    END IF;
    IF new_account_role <> 'owner'
       AND (make_primary_owner OR account.primary_owner_user_id = update_account_user_role.user_id) THEN
        RAISE 'the primary owner must be an owner';
    END IF;

    UPDATE account_user AS member SET account_role = new_account_role
     WHERE member.account_id = account.id AND member.user_id = update_account_user_role.user_id;
    -- whether there was such a member is not asked
    IF make_primary_owner THEN
        UPDATE accounts SET primary_owner_user_id = update_account_user_role.user_id WHERE id = account.id;
    END IF;
END
$$;
