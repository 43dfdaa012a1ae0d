-- Tables whose policies the errors $1 are about ("infinite recursion detected in policy for relation …"), by name,
-- and the names of these policies.
SELECT pg_catalog.format('%I.%I', n.nspname, c.relname),
       (SELECT pg_catalog.string_agg(p.polname::pg_catalog.text, ', ' ORDER BY p.polname)
        FROM pg_catalog.pg_policy AS p WHERE p.polrelid = c.oid)
FROM pg_catalog.pg_class AS c
JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
WHERE c.relrowsecurity
  AND EXISTS (SELECT FROM pg_catalog.unnest($1::pg_catalog.text[]) AS message
              WHERE message = pg_catalog.format('infinite recursion detected in policy for relation "%s"', c.relname))
ORDER BY (pg_catalog.format('%I.%I', n.nspname, c.relname)) COLLATE "C"
