-- Planted in roles.sql: the policy queries the table instead of calling the function. In the subquery,
-- `tenant_id` means the column of memberships, not of documents, so it is compared with itself. Whoever is a
-- member anywhere sees the documents of every tenant.
--
-- shortest: 1
--   write(tenant=tenants_1, actor=users_1, author=users_1, title="")
-- Seen by the invariant `documents_seen` for users_4, who is a member of the other tenant.

DROP POLICY see ON documents;

CREATE POLICY see ON documents FOR SELECT TO app_user
    USING (EXISTS (SELECT FROM memberships m
                    WHERE m.tenant_id = tenant_id AND m.user_id = current_user_id()));
