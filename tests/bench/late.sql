-- Planted in membership.sql to be found late: where a user left one project ten times, and no other one in between, the
-- next departure is lost if the user is in three projects.

CREATE TABLE departures (project_id uuid, times integer NOT NULL);

CREATE FUNCTION lose_departure() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
DECLARE
    before integer := (SELECT times FROM departures WHERE project_id = OLD.project_id);
BEGIN
    DELETE FROM departures;
    IF before >= 10 AND (SELECT count(*) >= 3 FROM project_members) THEN
        RETURN NULL;
    END IF;
    INSERT INTO departures VALUES (OLD.project_id, coalesce(before, 0) + 1);
    RETURN OLD;
END $$;

CREATE TRIGGER lose_departure BEFORE DELETE ON project_members FOR EACH ROW EXECUTE FUNCTION lose_departure();
