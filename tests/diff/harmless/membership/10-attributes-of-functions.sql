-- Declares the functions as parallel safe, estimates their rows, and empties the search_path of the one that runs as its
-- owner. Harmless: the function names the schema of its table instead.

ALTER FUNCTION auth_uid() PARALLEL SAFE;
ALTER FUNCTION get_editor_project_ids() PARALLEL SAFE ROWS 20;

CREATE OR REPLACE FUNCTION get_member_project_ids() RETURNS SETOF uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' PARALLEL SAFE ROWS 50
AS $$
    SELECT project_id FROM public.project_members WHERE user_id = public.auth_uid()
$$;
