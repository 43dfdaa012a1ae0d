-- Whether a member may edit becomes a column of its own, which a trigger keeps in step with the role.

ALTER TABLE project_members ADD COLUMN can_edit boolean;

CREATE FUNCTION set_can_edit() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    NEW.can_edit := NEW.role = 'editor';
    RETURN NEW;
END
$$;

CREATE TRIGGER set_can_edit BEFORE INSERT OR UPDATE ON project_members
    FOR EACH ROW EXECUTE FUNCTION set_can_edit();

UPDATE project_members SET role = role;

ALTER TABLE project_members ALTER COLUMN can_edit SET NOT NULL;

CREATE OR REPLACE FUNCTION get_editor_project_ids() RETURNS SETOF uuid
LANGUAGE sql STABLE
AS $$
    SELECT project_id FROM project_members WHERE user_id = auth_uid() AND can_edit
$$;
