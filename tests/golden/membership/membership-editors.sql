-- membership: invariant editors does not hold after step 2.
--
--     SELECT pid FROM get_editor_project_ids() AS pid
--     as ann
--       with request.jwt.claims = {"sub":"user","role":"authenticated"}
--   expected  no rows
--   actual    1 row
--       unexpected  projects_1
--
-- Found by pgfsm in example 3 of seed 1 (8 steps), shrunk to 2.
-- Stated in machines/membership.yaml:45.
--
-- To run it, in an empty database:
--     psql -X -f counterexamples/membership-editors.sql
-- or, on a server started for it: pgfsm replay counterexamples/membership-editors.sql
-- It prints TAP and rolls back all that it did. Exit status: 3 while the bug is there, 0 once it is fixed.

\set ON_ERROR_STOP on
\set ON_ERROR_ROLLBACK off
\encoding UTF8
\o /dev/null
\echo 1..1

BEGIN READ WRITE;
SET LOCAL client_min_messages = warning;
\ir ../sql/membership.sql
RESET ALL; RESET ROLE;
\ir ../sql/bugs/membership-editor-shadow.sql
RESET ALL; RESET ROLE;
SET LOCAL client_encoding = 'UTF8'; SET LOCAL client_min_messages = error;
SET LOCAL standard_conforming_strings = on; SET LOCAL array_nulls = on; SET LOCAL row_security = on;
SET LOCAL TimeZone = 'UTC'; SET LOCAL DateStyle = 'ISO'; SET LOCAL IntervalStyle = 'postgres';
SET LOCAL bytea_output = 'hex'; SET LOCAL extra_float_digits = 1;
SELECT pg_catalog.set_config('request.jwt.claims', '', true);

-- initialize 1
WITH answer (id) AS (
    INSERT INTO users (email) VALUES ('ann@example.com') RETURNING id
)
SELECT pg_catalog.quote_nullable(id) AS "user" FROM answer
\gset

-- initialize 2
WITH answer (id) AS (
    INSERT INTO projects (name) SELECT 'p' || n FROM generate_series(1, 4) AS n RETURNING id
)
SELECT id[1] AS projects_1
FROM (SELECT pg_catalog.array_agg(pg_catalog.quote_nullable(id)) AS id FROM answer) AS rows
\gset

-- 1  upsert_member(project=projects_1, role="editor")
SET LOCAL ROLE authenticated;
SELECT pg_catalog.set_config('request.jwt.claims', pg_catalog.concat('{"sub":"', :user, '","role":"authenticated"}'), true);
INSERT INTO project_members (project_id, user_id, role) VALUES (:projects_1, :user, 'editor')
ON CONFLICT (project_id, user_id) DO UPDATE SET role = EXCLUDED.role;

-- 2  upsert_member(project=projects_1, role="viewer")
INSERT INTO project_members (project_id, user_id, role) VALUES (:projects_1, :user, 'viewer')
ON CONFLICT (project_id, user_id) DO UPDATE SET role = EXCLUDED.role;

-- invariant editors
-- expect: {p for p, role in members.items() if role == 'editor'}
WITH unexpected (pid) AS (
    SELECT pid FROM get_editor_project_ids() AS pid
)
SELECT NOT EXISTS (TABLE unexpected) AS ok,
       coalesce(pg_catalog.string_agg(pg_catalog.row_to_json(unexpected)::pg_catalog.text, ', '), 'none') AS unexpected
FROM unexpected
\gset
ROLLBACK;
RESET search_path;

\if :ok
\echo 'ok 1 - membership: invariant editors'
\else
\echo 'not ok 1 - membership: invariant editors'
\echo '# expected no rows, got:' :unexpected
\set VERBOSITY terse
DO $$ BEGIN RAISE 'the bug is there'; END $$;
\endif
