-- Tasks of several organisations. An organisation can share its projects with others, as viewers or as editors.

DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'authenticated') THEN
        CREATE ROLE authenticated NOLOGIN;
    END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$;

CREATE TABLE projects (
    id    integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    owner text NOT NULL
);

CREATE TABLE shares (
    project_id integer NOT NULL REFERENCES projects,
    org        text NOT NULL,
    role       text NOT NULL CHECK (role IN ('viewer', 'editor')),
    PRIMARY KEY (project_id, org)
);

CREATE TABLE tasks (
    id         integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    project_id integer NOT NULL REFERENCES projects,
    done       boolean NOT NULL DEFAULT false
);

CREATE FUNCTION current_org() RETURNS text
LANGUAGE sql STABLE AS $$
    SELECT current_setting('request.jwt.claims', true)::jsonb ->> 'org'
$$;

CREATE FUNCTION owns(project integer) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER AS $$
    SELECT EXISTS (SELECT FROM projects WHERE id = project AND owner = current_org())
$$;

CREATE FUNCTION can_view(project integer) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER AS $$
    SELECT owns(project)
        OR EXISTS (SELECT FROM shares WHERE shares.project_id = project AND org = current_org())
$$;

CREATE FUNCTION can_edit(project_id integer) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER AS $$
    SELECT owns(project_id)
        OR EXISTS (SELECT FROM shares
                    WHERE shares.project_id = project_id AND org = current_org() AND role = 'editor')
$$;

ALTER TABLE projects ENABLE ROW LEVEL SECURITY;
ALTER TABLE shares ENABLE ROW LEVEL SECURITY;
ALTER TABLE tasks ENABLE ROW LEVEL SECURITY;
GRANT SELECT, INSERT, UPDATE, DELETE ON projects, shares, tasks TO authenticated;

CREATE POLICY own ON projects USING (owner = current_org());
CREATE POLICY own ON shares USING (owns(project_id));
CREATE POLICY view ON tasks FOR SELECT USING (can_view(project_id));
CREATE POLICY plan ON tasks FOR INSERT WITH CHECK (owns(project_id));
CREATE POLICY work ON tasks FOR UPDATE USING (can_edit(project_id));
