-- Accounts that users share, as basejump (https://usebasejump.com, for Supabase) documents them: who creates an
-- account is its primary owner; owners invite, promote and remove; members look on. Written for pgfsm from that
-- description, without basejump's code: the names are basejump's, so that one machine tests both.
--
-- Loaded after supabase.sql.

CREATE SCHEMA basejump;
GRANT USAGE ON SCHEMA basejump TO authenticated, service_role;

CREATE TYPE basejump.account_role AS ENUM ('owner', 'member');
CREATE TYPE basejump.invitation_type AS ENUM ('one_time', '24_hour');

CREATE TABLE basejump.accounts (
    id                    uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    primary_owner_user_id uuid NOT NULL DEFAULT auth.uid() REFERENCES auth.users,
    slug                  text NOT NULL UNIQUE,
    name                  text
);

CREATE TABLE basejump.account_user (
    account_id   uuid NOT NULL REFERENCES basejump.accounts ON DELETE CASCADE,
    user_id      uuid NOT NULL REFERENCES auth.users ON DELETE CASCADE,
    account_role basejump.account_role NOT NULL,
    PRIMARY KEY (account_id, user_id)
);

CREATE TABLE basejump.invitations (
    token           text PRIMARY KEY DEFAULT gen_random_uuid()::text,
    account_id      uuid NOT NULL REFERENCES basejump.accounts ON DELETE CASCADE,
    account_role    basejump.account_role NOT NULL,
    invitation_type basejump.invitation_type NOT NULL,
    created_at      timestamptz NOT NULL DEFAULT now()
);

-- The signed-in user's role, or NULL. It reads as its owner, because a policy can't read its own table.
CREATE FUNCTION basejump.role_of_caller(account uuid) RETURNS basejump.account_role
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = basejump, pg_temp
AS $$
    SELECT account_role FROM account_user WHERE account_id = account AND user_id = auth.uid()
$$;

ALTER TABLE basejump.accounts ENABLE ROW LEVEL SECURITY;
ALTER TABLE basejump.account_user ENABLE ROW LEVEL SECURITY;
ALTER TABLE basejump.invitations ENABLE ROW LEVEL SECURITY;
GRANT SELECT ON basejump.accounts TO authenticated;
GRANT SELECT, DELETE ON basejump.account_user TO authenticated;
GRANT SELECT, INSERT ON basejump.invitations TO authenticated;

CREATE POLICY read ON basejump.accounts FOR SELECT TO authenticated
    USING (basejump.role_of_caller(id) IS NOT NULL OR primary_owner_user_id = auth.uid());
CREATE POLICY read ON basejump.account_user FOR SELECT TO authenticated
    USING (basejump.role_of_caller(account_id) IS NOT NULL);
CREATE POLICY remove ON basejump.account_user FOR DELETE TO authenticated
    USING (basejump.role_of_caller(account_id) = 'owner'
           AND NOT EXISTS (SELECT FROM basejump.accounts
                            WHERE id = account_id AND primary_owner_user_id = user_id));
CREATE POLICY by_owners ON basejump.invitations TO authenticated
    USING (basejump.role_of_caller(account_id) = 'owner');

CREATE FUNCTION create_account(slug text, name text) RETURNS json
LANGUAGE plpgsql SECURITY DEFINER SET search_path = basejump, pg_temp
AS $$
DECLARE
    made uuid;
BEGIN
    INSERT INTO accounts (slug, name) VALUES (create_account.slug, create_account.name) RETURNING id INTO made;
    INSERT INTO account_user VALUES (made, auth.uid(), 'owner');
    RETURN json_build_object('account_id', made);
END
$$;

CREATE FUNCTION create_invitation(
    account_id uuid, account_role basejump.account_role, invitation_type basejump.invitation_type
) RETURNS json
LANGUAGE sql
AS $$
    INSERT INTO basejump.invitations (account_id, account_role, invitation_type)
    VALUES (create_invitation.account_id, create_invitation.account_role, create_invitation.invitation_type)
    RETURNING json_build_object('token', token)
$$;

CREATE FUNCTION accept_invitation(lookup_invitation_token text) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = basejump, pg_temp
AS $$
DECLARE
    invitation invitations;
BEGIN
    SELECT * INTO invitation FROM invitations
     WHERE token = lookup_invitation_token AND created_at > now() - interval '24 hours' FOR UPDATE;
    IF NOT FOUND THEN
        RAISE 'there is no such invitation';
    END IF;
    INSERT INTO account_user VALUES (invitation.account_id, auth.uid(), invitation.account_role)
        ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
        RAISE 'the user is a member already';
    END IF;
    DELETE FROM invitations WHERE token = invitation.token AND invitation_type = 'one_time';
    RETURN jsonb_build_object('account_id', invitation.account_id, 'account_role', invitation.account_role);
END
$$;

-- Owners change roles. Only the primary owner names another one, who must be an owner from then on.
CREATE FUNCTION update_account_user_role(
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
    IF NOT FOUND THEN
        RAISE 'the user is not a member';
    END IF;
    IF make_primary_owner THEN
        UPDATE accounts SET primary_owner_user_id = update_account_user_role.user_id WHERE id = account.id;
    END IF;
END
$$;

CREATE FUNCTION remove_account_member(account_id uuid, user_id uuid) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
    IF basejump.role_of_caller(remove_account_member.account_id) IS DISTINCT FROM 'owner' THEN
        RAISE 'only an owner may remove members';
    END IF;
    DELETE FROM basejump.account_user AS member
     WHERE member.account_id = remove_account_member.account_id AND member.user_id = remove_account_member.user_id;
END
$$;
