-- Writes a policy for each command instead of one for all. Harmless: all commands keep the same condition, and there is
-- no other policy that a condition could be combined with.

DROP POLICY own_memberships ON project_members;
CREATE POLICY select_own ON project_members FOR SELECT TO authenticated
    USING (auth_uid() = user_id);
CREATE POLICY insert_own ON project_members FOR INSERT TO authenticated
    WITH CHECK (auth_uid() = user_id);
CREATE POLICY update_own ON project_members FOR UPDATE TO authenticated
    USING (auth_uid() = user_id)
    WITH CHECK (auth_uid() = user_id);
CREATE POLICY delete_own ON project_members FOR DELETE TO authenticated
    USING (auth_uid() = user_id);
