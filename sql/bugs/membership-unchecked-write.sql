-- Planted in membership.sql: the policy limits which rows users can see, but lets them write any row. Without
-- WITH CHECK, its USING clause would apply to both.
--
-- machine: membership_two_users
-- shortest: 1
--   add_other(actor=users_1, other=users_2, project=projects_1)
-- Seen in the first step: insufficient_privilege is expected but not raised.

DROP POLICY own_memberships ON project_members;

CREATE POLICY own_memberships ON project_members TO authenticated
    USING (user_id = auth_uid())
    WITH CHECK (true);
