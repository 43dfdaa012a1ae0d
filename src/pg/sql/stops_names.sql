-- Names of functions that may reach the database: what is worth a stop before a statement that only calls something
-- (sql/stops.h). In the order of bytes.
SELECT DISTINCT p.proname COLLATE "C" AS name
FROM pg_catalog.pg_proc AS p
JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
JOIN pg_catalog.pg_language AS l ON l.oid = p.prolang
WHERE CASE WHEN n.nspname = 'pg_catalog'
           THEN p.proname ~ '^(pg_(try_)?advisory_|lo_|pg_sleep|setval$|(table|query|schema|database|cursor)_to_xml)'
           ELSE p.provolatile <> 'i' AND l.lanname NOT IN ('c', 'internal') END
ORDER BY name
