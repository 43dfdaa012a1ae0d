-- The types $1 as SQL, in their order.
SELECT pg_catalog.format('%I.%I', n.nspname, t.typname)
FROM pg_catalog.unnest($1::pg_catalog.oid[]) WITH ORDINALITY AS a (type, number)
JOIN pg_catalog.pg_type AS t ON t.oid = a.type JOIN pg_catalog.pg_namespace AS n ON n.oid = t.typnamespace
ORDER BY a.number
