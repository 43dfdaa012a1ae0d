-- Makes invitations again with its columns in another order. Harmless: rows, keys, policy and grants stay, and every
-- statement names its columns.

CREATE TABLE basejump.new_invitations (
    account_id      uuid NOT NULL REFERENCES basejump.accounts ON DELETE CASCADE,
    created_at      timestamptz NOT NULL DEFAULT now(),
    invitation_type basejump.invitation_type NOT NULL,
    account_role    basejump.account_role NOT NULL,
    token           text PRIMARY KEY DEFAULT gen_random_uuid()::text
);
INSERT INTO basejump.new_invitations (token, account_id, account_role, invitation_type, created_at)
    SELECT token, account_id, account_role, invitation_type, created_at FROM basejump.invitations;
DROP TABLE basejump.invitations;
ALTER TABLE basejump.new_invitations RENAME TO invitations;
ALTER TABLE basejump.invitations RENAME CONSTRAINT new_invitations_pkey TO invitations_pkey;
ALTER TABLE basejump.invitations
    RENAME CONSTRAINT new_invitations_account_id_fkey TO invitations_account_id_fkey;

ALTER TABLE basejump.invitations ENABLE ROW LEVEL SECURITY;
GRANT SELECT, INSERT ON basejump.invitations TO authenticated;
CREATE POLICY by_owners ON basejump.invitations TO authenticated
    USING (basejump.role_of_caller(account_id) = 'owner');
