-- Planted in roles.sql: the policy for new documents checks the level but not the author. An editor can write
-- under another user's name.
--
-- shortest: 1
--   write(tenant=tenants_1, actor=users_1, author=users_2, title="")
-- Seen in the first step: insufficient_privilege is expected but not raised. A machine that tries only
-- what is allowed would not find this bug.

DROP POLICY write ON documents;

CREATE POLICY write ON documents FOR INSERT TO app_user
    WITH CHECK (level_in(tenant_id) >= 'editor');
