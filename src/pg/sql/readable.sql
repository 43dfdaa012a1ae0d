-- The tables, views and materialized views of a database, a row for each column in its order, or one without a column:
-- name, kind, OID, column, the column as SQL, its type, of a domain the type under it. Without partitions, what extensions
-- have made, and temporary tables.
SELECT r.name, r.kind, r.oid, a.attname, pg_catalog.quote_ident(a.attname),
       pg_catalog.format_type(CASE
           WHEN t.typtype = 'd' THEN (
               WITH RECURSIVE bases (oid, depth) AS (
                   SELECT t.typbasetype, 0
                   UNION ALL
                   SELECT d.typbasetype, b.depth + 1
                   FROM bases AS b
                   JOIN pg_catalog.pg_type AS d ON d.oid = b.oid AND d.typtype = 'd')
               SELECT b.oid FROM bases AS b ORDER BY b.depth DESC LIMIT 1)
           ELSE a.atttypid END, NULL)
FROM (SELECT c.oid, pg_catalog.format('%I.%I', n.nspname, c.relname) COLLATE "C" AS name,
             CASE c.relkind WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view' ELSE 'table' END AS kind
      FROM pg_catalog.pg_class AS c
      JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
      WHERE c.relkind IN ('r', 'p', 'v', 'm') AND NOT c.relispartition
        AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
        AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend AS d
                        WHERE d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objid = c.oid
                          AND d.deptype = 'e')) AS r
LEFT JOIN pg_catalog.pg_attribute AS a ON a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped
LEFT JOIN pg_catalog.pg_type AS t ON t.oid = a.atttypid
ORDER BY r.name, a.attnum
