-- Planted in membership.sql: a trigger chooses which row to delete. If a user has three or more memberships,
-- removing one of them deletes another one instead.
--
-- shortest: 4
--   upsert_member(project=projects_1, role="viewer")
--   upsert_member(project=projects_2, role="viewer")
--   upsert_member(project=projects_3, role="viewer")
--   remove_member(project=projects_1)
-- Seen by the invariant `members`: the removed project is still returned, and another one is missing.

CREATE FUNCTION remove_another() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
DECLARE
    others uuid[];
BEGIN
    IF pg_trigger_depth() > 1 THEN
        RETURN OLD; -- this function's own DELETE
    END IF;
    SELECT array_agg(member.project_id ORDER BY project.name) INTO others
      FROM project_members AS member JOIN projects AS project ON project.id = member.project_id
     WHERE member.user_id = OLD.user_id AND member.project_id <> OLD.project_id;
    IF cardinality(others) >= 2 THEN
        DELETE FROM project_members WHERE (project_id, user_id) = (others[1], OLD.user_id);
        RETURN NULL;
    END IF;
    RETURN OLD;
END
$$;

CREATE TRIGGER remove_another BEFORE DELETE ON project_members
    FOR EACH ROW EXECUTE FUNCTION remove_another();
