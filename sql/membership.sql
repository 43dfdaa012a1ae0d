-- Users, projects, and who is a member of which project as what. A signed-in user acts as the role
-- `authenticated`, named by the claims of a JSON web token in the setting request.jwt.claims (the
-- convention of PostgREST and Supabase), and may see and change no memberships but their own.

-- Roles belong to the whole server: this one may be there already, and two runs may start at once.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'authenticated') THEN
        CREATE ROLE authenticated NOLOGIN;
    END IF;
EXCEPTION
    WHEN duplicate_object OR unique_violation THEN NULL; -- another run was quicker
END
$$;

-- Who loads this file must be able to become `authenticated`; a superuser can, others are granted it.
DO $$
BEGIN
    SET LOCAL ROLE authenticated;
    RESET ROLE;
EXCEPTION
    WHEN insufficient_privilege THEN
        GRANT authenticated TO CURRENT_USER;
END
$$;

CREATE TABLE users (
    id    uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    email text NOT NULL UNIQUE
);

CREATE TABLE projects (
    id   uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    name text NOT NULL
);

CREATE TABLE project_members (
    project_id uuid NOT NULL REFERENCES projects ON DELETE CASCADE,
    user_id    uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    role       text NOT NULL CHECK (role IN ('viewer', 'editor')),
    PRIMARY KEY (project_id, user_id)
);

CREATE FUNCTION auth_uid() RETURNS uuid
LANGUAGE sql STABLE
AS $$
    SELECT (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid
$$;

-- Reads the table as its owner, past the policies.
CREATE FUNCTION get_member_project_ids() RETURNS SETOF uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
    SELECT project_id FROM project_members WHERE user_id = auth_uid()
$$;

-- Reads the table as the caller, through the policies.
CREATE FUNCTION get_editor_project_ids() RETURNS SETOF uuid
LANGUAGE sql STABLE
AS $$
    SELECT project_id FROM project_members WHERE user_id = auth_uid() AND role = 'editor'
$$;

ALTER TABLE project_members ENABLE ROW LEVEL SECURITY;

CREATE POLICY own_memberships ON project_members TO authenticated
    USING (user_id = auth_uid())
    WITH CHECK (user_id = auth_uid());

GRANT SELECT, INSERT, UPDATE, DELETE ON project_members TO authenticated;
