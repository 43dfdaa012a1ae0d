-- says: what "member" may do with tables task: the query of a policy asks
-- says: add_below on task.
-- A policy for INSERT asks its table, whose policy for SELECT has a subquery, too: the server does not go round twice.
DO $$ BEGIN CREATE ROLE member NOLOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
CREATE TABLE users (id int PRIMARY KEY, name text);
CREATE TABLE task (id int PRIMARY KEY, owner int NOT NULL REFERENCES users, parent int REFERENCES task);
CREATE TABLE comment (id int PRIMARY KEY, task int NOT NULL REFERENCES task, owner int NOT NULL REFERENCES users);
ALTER TABLE task ENABLE ROW LEVEL SECURITY;
ALTER TABLE comment ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_task ON task FOR SELECT TO member USING (owner = (SELECT nullif(current_setting('app.user_id', true), '')::int));
CREATE POLICY add_below ON task FOR INSERT TO member WITH CHECK (parent IS NULL OR EXISTS (SELECT FROM task AS t WHERE t.id = parent));
CREATE POLICY on_own ON comment TO member USING (task IN (SELECT t.id FROM task AS t));
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO member;
