-- Adds indexes for foreign keys that had none. Harmless: only the plans may change.

CREATE INDEX ON basejump.account_user (user_id);
CREATE INDEX ON basejump.accounts (primary_owner_user_id);
CREATE INDEX ON basejump.invitations (account_id);
