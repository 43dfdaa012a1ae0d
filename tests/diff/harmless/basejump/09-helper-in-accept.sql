-- Moves the look-up of an invitation into a function, and builds the answer from columns. Harmless: the same invitations
-- are accepted, and jsonb sorts its keys.

CREATE FUNCTION basejump.valid_invitation(wanted text) RETURNS basejump.invitations
LANGUAGE sql SECURITY DEFINER SET search_path = basejump, pg_temp
AS $$
    SELECT * FROM invitations WHERE token = wanted AND created_at > now() - interval '1440 minutes' FOR UPDATE
$$;
REVOKE EXECUTE ON FUNCTION basejump.valid_invitation FROM public;

CREATE OR REPLACE FUNCTION accept_invitation(lookup_invitation_token text) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = basejump, pg_temp
AS $$
DECLARE
    invitation invitations := valid_invitation(lookup_invitation_token);
    added      bigint;
BEGIN
    IF invitation.token IS NULL THEN
        RAISE 'there is no such invitation';
    END IF;
    INSERT INTO account_user (account_id, user_id, account_role)
        VALUES (invitation.account_id, auth.uid(), invitation.account_role)
        ON CONFLICT (account_id, user_id) DO NOTHING;
    GET DIAGNOSTICS added = ROW_COUNT;
    IF added = 0 THEN
        RAISE 'the user is a member already';
    END IF;
    IF invitation.invitation_type <> '24_hour' THEN
        DELETE FROM invitations WHERE token = invitation.token;
    END IF;
    RETURN (SELECT to_jsonb(answer) FROM (SELECT invitation.account_role, invitation.account_id) AS answer);
END
$$;
