-- Columns of which the values come from elsewhere: those of foreign keys, with the column that they refer
-- to; and views, none of whose columns is known (0). Tables and places of columns, in order (origins.c); of several
-- that one refers to, the oldest key's comes first.
SELECT c.conrelid, k.attnum, c.confrelid, r.attnum, c.oid
FROM pg_catalog.pg_constraint AS c,
     pg_catalog.unnest(c.conkey) WITH ORDINALITY AS k (attnum, n),
     pg_catalog.unnest(c.confkey) WITH ORDINALITY AS r (attnum, n)
WHERE c.contype = 'f' AND k.n = r.n
UNION ALL
SELECT v.oid, a.attnum, 0, 0, 0
FROM pg_catalog.pg_class AS v
JOIN pg_catalog.pg_attribute AS a ON a.attrelid = v.oid AND a.attnum > 0
WHERE v.relkind IN ('v', 'm') AND v.oid >= 16384 -- not of initdb's
ORDER BY 1, 2, 5
