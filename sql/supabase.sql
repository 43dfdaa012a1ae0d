-- What a schema written for Supabase expects to find: roles, auth.uid() and its relatives, auth.users, the
-- schemas of storage and realtime. List this file before your migrations:
--
--     schema: [supabase.sql, migrations/0001_accounts.sql, …]
--
-- `pgfsm init` describes what is in a schema with the comment 'stand-in' only if something else refers to it.
--
-- Stand-ins written for pgfsm, no code of Supabase's: docs/SUPABASE.md says what they leave out.

-- Roles belong to the server, so an earlier run, or one beside this one, may have made them.
DO $$
DECLARE
    wanted text;
BEGIN
    FOREACH wanted IN ARRAY ARRAY['anon', 'authenticated', 'service_role'] LOOP
        BEGIN
            IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = wanted) THEN
                EXECUTE format('CREATE ROLE %I NOLOGIN', wanted);
            END IF;
        EXCEPTION
            WHEN duplicate_object OR unique_violation THEN NULL; -- another run was faster
        END;
    END LOOP;
END
$$;

-- service_role ignores policies, which only a superuser can arrange on every version.
DO $$
BEGIN
    IF (SELECT rolsuper FROM pg_roles WHERE rolname = current_user)
       AND NOT (SELECT rolbypassrls FROM pg_roles WHERE rolname = 'service_role') THEN
        ALTER ROLE service_role BYPASSRLS;
    END IF;
EXCEPTION
    WHEN internal_error THEN NULL; -- another run alters the role at this moment
END
$$;

-- The user that loads this file must be able to SET ROLE. A superuser can; others need a grant.
DO $$
DECLARE
    wanted text;
BEGIN
    FOREACH wanted IN ARRAY ARRAY['anon', 'authenticated', 'service_role'] LOOP
        BEGIN
            EXECUTE format('SET LOCAL ROLE %I', wanted);
            RESET ROLE;
        EXCEPTION
            WHEN insufficient_privilege THEN EXECUTE format('GRANT %I TO CURRENT_USER', wanted);
        END;
    END LOOP;
END
$$;

-- Extensions live in a schema of their own, which everybody's search_path names.
CREATE SCHEMA extensions;
GRANT USAGE ON SCHEMA extensions TO anon, authenticated, service_role;
DO $$
DECLARE
    wanted text;
BEGIN
    FOR wanted IN SELECT name FROM pg_available_extensions WHERE name IN ('pgcrypto', 'uuid-ossp') LOOP
        EXECUTE format('CREATE EXTENSION %I SCHEMA extensions', wanted);
    END LOOP;
    EXECUTE format('ALTER DATABASE %I SET search_path = "$user", public, extensions', current_database());
END
$$;

-- What is created in public is open to the API's roles: policies alone decide which rows they see.
GRANT USAGE ON SCHEMA public TO anon, authenticated, service_role;
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT ALL ON TABLES TO anon, authenticated, service_role;
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT ALL ON SEQUENCES TO anon, authenticated, service_role;
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT ALL ON FUNCTIONS TO anon, authenticated, service_role;

CREATE SCHEMA auth;
COMMENT ON SCHEMA auth IS 'stand-in';
GRANT USAGE ON SCHEMA auth TO anon, authenticated, service_role;

CREATE TABLE auth.users (
    id                 uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    email              text UNIQUE,
    phone              text UNIQUE,
    role               text,
    raw_user_meta_data jsonb,
    raw_app_meta_data  jsonb,
    created_at         timestamptz DEFAULT now(),
    updated_at         timestamptz DEFAULT now()
);

-- The claims of the request. A setting that was set once and is rolled back reads as '', not as NULL.
CREATE FUNCTION auth.jwt() RETURNS jsonb
LANGUAGE sql STABLE
RETURN nullif(current_setting('request.jwt.claims', true), '')::jsonb;

CREATE FUNCTION auth.uid() RETURNS uuid
LANGUAGE sql STABLE
RETURN nullif(auth.jwt() ->> 'sub', '')::uuid;

CREATE FUNCTION auth.role() RETURNS text
LANGUAGE sql STABLE
RETURN auth.jwt() ->> 'role';

CREATE FUNCTION auth.email() RETURNS text
LANGUAGE sql STABLE
RETURN auth.jwt() ->> 'email';

-- Tables that policies of migrations are written for, and a publication that they add tables to.
CREATE SCHEMA storage;
COMMENT ON SCHEMA storage IS 'stand-in';
GRANT USAGE ON SCHEMA storage TO anon, authenticated, service_role;

CREATE TABLE storage.buckets (
    id     text PRIMARY KEY,
    name   text NOT NULL UNIQUE,
    public boolean DEFAULT false
);

CREATE TABLE storage.objects (
    id        uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    bucket_id text REFERENCES storage.buckets,
    name      text,
    owner     uuid,
    owner_id  text,
    metadata  jsonb,
    UNIQUE (bucket_id, name)
);
ALTER TABLE storage.buckets ENABLE ROW LEVEL SECURITY;
ALTER TABLE storage.objects ENABLE ROW LEVEL SECURITY;
GRANT ALL ON storage.buckets, storage.objects TO anon, authenticated, service_role;

-- The folders of 'a/b/c.png' are {a,b}.
CREATE FUNCTION storage.foldername(name text) RETURNS text[]
LANGUAGE sql IMMUTABLE
RETURN trim_array(string_to_array(name, '/'), 1);

CREATE SCHEMA realtime;
COMMENT ON SCHEMA realtime IS 'stand-in';
GRANT USAGE ON SCHEMA realtime TO anon, authenticated, service_role;
SET client_min_messages = error; -- not the warning that the server has no logical replication
CREATE PUBLICATION supabase_realtime;
RESET client_min_messages;
