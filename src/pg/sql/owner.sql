-- The owner of a database may have it assume a role for everybody who connects. A scratch database must not be that role's.
SELECT pg_catalog.set_config('role', 'none', false)
FROM pg_catalog.pg_db_role_setting AS s JOIN pg_catalog.pg_database AS d ON d.oid = s.setdatabase
CROSS JOIN pg_catalog.unnest(s.setconfig) AS c (text)
WHERE s.setrole = 0 AND d.datname = pg_catalog.current_database() AND c.text ~* '^role='
