-- Evaluates auth_uid() once for each statement instead of once for each row, and writes the policy for each command.
-- Harmless: the result of auth_uid() does not change within a statement, and all commands keep the same condition.

DROP POLICY own_memberships ON project_members;
CREATE POLICY select_own ON project_members FOR SELECT TO authenticated
    USING (user_id = (SELECT auth_uid()));
CREATE POLICY insert_own ON project_members FOR INSERT TO authenticated
    WITH CHECK (user_id = (SELECT auth_uid()));
CREATE POLICY update_own ON project_members FOR UPDATE TO authenticated
    USING (user_id = (SELECT auth_uid()))
    WITH CHECK (user_id = (SELECT auth_uid()));
CREATE POLICY delete_own ON project_members FOR DELETE TO authenticated
    USING (user_id = (SELECT auth_uid()));
