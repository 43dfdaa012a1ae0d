-- Fault: the backfill makes an editor of one project an editor of all projects that the user is in.

ALTER TABLE project_members ADD COLUMN can_edit boolean;

UPDATE project_members AS m
   SET can_edit = EXISTS (SELECT FROM project_members WHERE user_id = m.user_id AND role = 'editor');
ALTER TABLE project_members ALTER COLUMN can_edit SET NOT NULL;

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

CREATE OR REPLACE FUNCTION get_editor_project_ids() RETURNS SETOF uuid
LANGUAGE sql STABLE
AS $$
    SELECT project_id FROM project_members WHERE user_id = auth_uid() AND can_edit
$$;
