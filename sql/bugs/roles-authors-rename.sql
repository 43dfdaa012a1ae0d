-- Planted in roles.sql: authors may rename what they wrote. Permissive policies are joined by OR, so this
-- one widens the other: the right survives a demotion, where the author is still a member and no longer
-- an editor.
--
-- shortest: 3
--   documents_1 = write(tenant=tenants_1, actor=users_3, author=users_3, title="")
--   set_level(tenant=tenants_1, actor=users_1, user=users_3, level="member")
--   rename(document=documents_1, actor=users_3, title="")
-- Seen in the third step: no row is expected to change, and one does.

CREATE POLICY authors_rename ON documents FOR UPDATE TO app_user
    USING (author_id = current_user_id());
