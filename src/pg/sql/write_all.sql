-- Locks every table and view of users as a statement that writes to it does, but for those that somebody else holds, or
-- waits for, in a way that excludes this, or that the user may not write to.
DO $$
DECLARE
    one pg_catalog.text;
BEGIN
    FOR one IN
        SELECT pg_catalog.format('%I.%I', n.nspname, c.relname)
        FROM pg_catalog.pg_class AS c
        JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
        WHERE c.relkind IN ('r', 'p', 'v') AND c.relpersistence <> 't'
          AND n.nspname NOT IN ('pg_catalog', 'information_schema')
        ORDER BY c.oid
    LOOP
        BEGIN
            EXECUTE 'LOCK TABLE ' || one || ' IN ROW EXCLUSIVE MODE NOWAIT';
        EXCEPTION WHEN OTHERS THEN
        END;
    END LOOP;
END $$
