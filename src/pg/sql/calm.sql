-- In a scratch database autovacuum would only get in the way of steps that change tables: the backend
-- vacuums between its transactions.
SET LOCAL search_path = pg_catalog, pg_temp;
DO $do$
DECLARE
    name pg_catalog.text;
BEGIN
    FOR name IN
        SELECT c.oid::pg_catalog.regclass::pg_catalog.text
        FROM pg_catalog.pg_class AS c
        JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
        WHERE c.relkind IN ('r', 'm') AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
          AND pg_catalog.pg_has_role(c.relowner, 'USAGE')
    LOOP
        EXECUTE 'ALTER TABLE ' || name || ' SET (autovacuum_enabled = off)';
    END LOOP;
END
$do$
