-- Planted in membership.sql: projects keep a count of their members, and a project with the count 0 is not
-- listed. Every departure is subtracted, but only a user's first arrival is added. The count is wrong after a
-- user leaves and joins again.
--
-- shortest: 3
--   upsert_member(project=projects_1, role="viewer")
--   remove_member(project=projects_1)
--   upsert_member(project=projects_1, role="viewer")
-- Seen by the invariant `members`: the project is missing.

ALTER TABLE projects ADD COLUMN member_count integer NOT NULL DEFAULT 0;

CREATE TABLE counted_members (
    project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
    user_id    uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    PRIMARY KEY (project_id, user_id)
);

CREATE FUNCTION count_members() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        UPDATE projects SET member_count = member_count - 1 WHERE id = OLD.project_id;
        RETURN NULL;
    END IF;
    INSERT INTO counted_members VALUES (NEW.project_id, NEW.user_id) ON CONFLICT DO NOTHING;
    IF FOUND THEN
        UPDATE projects SET member_count = member_count + 1 WHERE id = NEW.project_id;
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER count_members AFTER INSERT OR DELETE ON project_members
    FOR EACH ROW EXECUTE FUNCTION count_members();

CREATE OR REPLACE FUNCTION get_member_project_ids() RETURNS SETOF uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
    SELECT m.project_id
      FROM project_members m JOIN projects p ON p.id = m.project_id
     WHERE m.user_id = auth_uid() AND p.member_count > 0
$$;
