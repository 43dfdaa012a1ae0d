-- Planted in membership.sql: a trigger picks which row goes. Where a user has three memberships or
-- more, removing one of them removes another one.
--
-- shortest: 4
--   upsert_member(project=projects_1, role="viewer")
--   upsert_member(project=projects_2, role="viewer")
--   upsert_member(project=projects_3, role="viewer")
--   remove_member(project=projects_1)
-- Seen by the invariant `members`: the removed one is still returned, and one of the others is missing.

CREATE FUNCTION remove_another() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
DECLARE
    others uuid[];
BEGIN
    IF pg_trigger_depth() > 1 THEN
        RETURN OLD; -- the removal that this function itself asked for
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
