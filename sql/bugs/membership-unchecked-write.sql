-- Planted in membership.sql: the policy says which rows are one's own where rows are read, and lets any row
-- be written. Without a WITH CHECK its USING would have counted for both.
--
-- machine: membership_two_users
-- shortest: 1
--   add_other(actor=users_1, other=users_2, project=projects_1)
-- Seen in the first step: insufficient_privilege is expected and not raised.

DROP POLICY own_memberships ON project_members;

CREATE POLICY own_memberships ON project_members TO authenticated
    USING (user_id = auth_uid())
    WITH CHECK (true);
