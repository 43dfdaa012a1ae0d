-- says: what "member" may do with tables membership, project, share, note:
-- says: (infinite recursion): member_of on membership, by_function on note, seen_by_team on project, of_own_project on share.
-- Policies that ask themselves: by a subquery, in a circle, by a function; and others beside them, which work.
DO $$ BEGIN CREATE ROLE member NOLOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
CREATE TABLE users (id int PRIMARY KEY, name text);
CREATE FUNCTION me() RETURNS int LANGUAGE sql STABLE AS $$ SELECT nullif(current_setting('app.user_id', true), '')::int $$;
CREATE TABLE membership (id int PRIMARY KEY, user_id int NOT NULL REFERENCES users, team int NOT NULL, role text NOT NULL DEFAULT 'member');
ALTER TABLE membership ENABLE ROW LEVEL SECURITY;
CREATE POLICY member_of ON membership TO member
    USING (team IN (SELECT m.team FROM membership AS m WHERE m.user_id = me() AND m.role = 'admin'));
CREATE POLICY own ON membership TO member USING (user_id = me());
-- The one asks the other.
CREATE TABLE project (id int PRIMARY KEY, owner int NOT NULL REFERENCES users);
CREATE TABLE share (project int NOT NULL REFERENCES project, user_id int NOT NULL REFERENCES users, PRIMARY KEY (project, user_id));
ALTER TABLE project ENABLE ROW LEVEL SECURITY;
ALTER TABLE share ENABLE ROW LEVEL SECURITY;
CREATE POLICY seen_by_team ON project TO member USING (owner = me() OR id IN (SELECT s.project FROM share AS s));
CREATE POLICY of_own_project ON share TO member USING (project IN (SELECT p.id FROM project AS p));
-- A function that runs as the user.
CREATE TABLE note (id int PRIMARY KEY, owner int NOT NULL REFERENCES users, body text);
ALTER TABLE note ENABLE ROW LEVEL SECURITY;
CREATE FUNCTION my_notes() RETURNS SETOF int LANGUAGE plpgsql STABLE AS $$ BEGIN RETURN QUERY SELECT n.id FROM note AS n WHERE n.owner = me(); END $$;
CREATE POLICY by_function ON note TO member USING (id IN (SELECT my_notes()));
-- Not recursive: the inner question has an answer of its own, or a definer asks it.
CREATE TABLE task (id int PRIMARY KEY, owner int NOT NULL REFERENCES users, parent int REFERENCES task);
ALTER TABLE task ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_task ON task FOR SELECT TO member USING (owner = me());
CREATE POLICY add_below ON task FOR INSERT TO member WITH CHECK (parent IS NULL OR EXISTS (SELECT FROM task AS t WHERE t.id = parent));
CREATE FUNCTION notes_of_user() RETURNS bigint LANGUAGE sql STABLE AS 'SELECT count(*) FROM note';
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO member;
