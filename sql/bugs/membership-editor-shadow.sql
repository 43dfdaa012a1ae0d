-- Planted in membership.sql: a separate table lists the editors. Its trigger handles promotions but not
-- demotions, so an editor who becomes a viewer remains in the table.
--
-- shortest: 2
--   upsert_member(project=projects_1, role="editor")
--   upsert_member(project=projects_1, role="viewer")
-- Seen by the invariant `editors`: the project is returned, but should not be.

CREATE TABLE project_editors (
    project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
    user_id    uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    PRIMARY KEY (project_id, user_id)
);

CREATE FUNCTION follow_editors() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        DELETE FROM project_editors
         WHERE (project_id, user_id) = (OLD.project_id, OLD.user_id);
    ELSIF NEW.role = 'editor' THEN
        INSERT INTO project_editors VALUES (NEW.project_id, NEW.user_id) ON CONFLICT DO NOTHING;
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER follow_editors AFTER INSERT OR UPDATE OR DELETE ON project_members
    FOR EACH ROW EXECUTE FUNCTION follow_editors();

CREATE OR REPLACE FUNCTION get_editor_project_ids() RETURNS SETOF uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
    SELECT project_id FROM project_editors WHERE user_id = auth_uid()
$$;
