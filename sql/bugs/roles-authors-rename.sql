-- Planted in roles.sql: a second policy lets authors rename their documents. Permissive policies are combined
-- with OR, so an author who is demoted from editor to member can still rename them.
--
-- shortest: 3
--   documents_1 = write(tenant=tenants_1, actor=users_3, author=users_3, title="")
--   set_level(tenant=tenants_1, actor=users_1, user=users_3, level="member")
--   rename(document=documents_1, actor=users_3, title="")
-- Seen in the third step: no row is expected to change, but one does.

CREATE POLICY authors_rename ON documents FOR UPDATE TO app_user
    USING (author_id = current_user_id());
