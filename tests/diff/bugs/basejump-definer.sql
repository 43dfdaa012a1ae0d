-- create_invitation runs as its owner (SECURITY DEFINER), whom no policy limits: everybody invites to every account.
-- shortest: 1 request
--   as authenticated (request.jwt.claims = null): SELECT create_invitation(gen_random_uuid(), 'owner', 'one_time')
-- Without an account it fails in another way. With one it succeeds, which is the fault.

CREATE OR REPLACE FUNCTION create_invitation(
    account_id uuid, account_role basejump.account_role, invitation_type basejump.invitation_type
) RETURNS json
LANGUAGE sql SECURITY DEFINER SET search_path = basejump, pg_temp
AS $$
    INSERT INTO invitations (account_id, account_role, invitation_type)
    VALUES (create_invitation.account_id, create_invitation.account_role, create_invitation.invitation_type)
    RETURNING json_build_object('token', token)
$$;
