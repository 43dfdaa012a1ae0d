-- Planted in membership.sql: the policy for new rows calls a function to find out who the member is. The
-- function stores the first member that it finds in a setting, until the end of the transaction. If another
-- user then joins a project, it takes that user for the first one.
--
-- machine: membership_two_users
-- not committed: each step that is committed is a transaction of its own
-- shortest: 3
--   upsert_member(actor=users_1, project=projects_1, role="viewer")
--   upsert_member(actor=users_1, project=projects_1, role="viewer")
--   upsert_member(actor=users_2, project=projects_1, role="viewer")
-- In the first step the table is still empty, in the second the function stores the first user, and the third
-- step is the other user's. Seen in the third step: insufficient_privilege (42501), as the new row violates the
-- policy.

CREATE FUNCTION current_member() RETURNS uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
DECLARE
    member uuid := nullif(current_setting('app.member', true), '');
BEGIN
    IF member IS NULL THEN
        SELECT user_id INTO member FROM project_members WHERE user_id = auth_uid() LIMIT 1;
        PERFORM set_config('app.member', coalesce(member::text, ''), true);
    END IF;
    RETURN coalesce(member, auth_uid());
END
$$;

DROP POLICY own_memberships ON project_members;

CREATE POLICY read_own ON project_members FOR SELECT TO authenticated
    USING (user_id = auth_uid());
CREATE POLICY insert_own ON project_members FOR INSERT TO authenticated
    WITH CHECK (user_id = current_member());
CREATE POLICY update_own ON project_members FOR UPDATE TO authenticated
    USING (user_id = auth_uid());
CREATE POLICY delete_own ON project_members FOR DELETE TO authenticated
    USING (user_id = auth_uid());
