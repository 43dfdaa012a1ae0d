-- Rewrites create_invitation in PL/pgSQL. Harmless: it is the same statement, with the caller's rights as before.

CREATE OR REPLACE FUNCTION create_invitation(
    account_id uuid, account_role basejump.account_role, invitation_type basejump.invitation_type
) RETURNS json
LANGUAGE plpgsql
AS $$
DECLARE
    made text;
BEGIN
    INSERT INTO basejump.invitations (account_id, account_role, invitation_type)
    VALUES (create_invitation.account_id, create_invitation.account_role, create_invitation.invitation_type)
    RETURNING token INTO made;
    RETURN json_build_object('token', made);
END
$$;
