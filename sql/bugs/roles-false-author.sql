-- Planted in roles.sql: the policy for writing asks the level and takes the author's name as it is given.
-- An editor can write under somebody else's name.
--
-- shortest: 1
--   write(tenant=tenants_1, actor=users_1, author=users_2, title="")
-- Seen in the first step: insufficient_privilege is expected and not raised. A machine whose rules only
-- ever do what is allowed would not find it.

DROP POLICY write ON documents;

CREATE POLICY write ON documents FOR INSERT TO app_user
    WITH CHECK (level_in(tenant_id) >= 'editor');
