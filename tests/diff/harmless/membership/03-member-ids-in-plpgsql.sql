-- Rewrites get_member_project_ids in PL/pgSQL. Harmless: it is the same query, with the same rights.

CREATE OR REPLACE FUNCTION get_member_project_ids() RETURNS SETOF uuid
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
BEGIN
    RETURN QUERY SELECT m.project_id FROM project_members AS m WHERE m.user_id = auth_uid();
END
$$;
