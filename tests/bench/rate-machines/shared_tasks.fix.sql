CREATE OR REPLACE FUNCTION can_edit(project_id integer) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER AS $$
    SELECT owns(project_id)
        OR EXISTS (SELECT FROM shares
                    WHERE shares.project_id = can_edit.project_id AND org = current_org() AND role = 'editor')
$$;
