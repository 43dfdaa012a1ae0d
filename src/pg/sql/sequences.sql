-- A query that reads where every sequence stands, as its name, its last value and whether that was handed out:
-- those that we may read and set. NULL where there is none.
SELECT pg_catalog.string_agg(
           pg_catalog.format('SELECT %L::pg_catalog.text, last_value, is_called FROM %I.%I',
                             pg_catalog.format('%I.%I', n.nspname, c.relname), n.nspname, c.relname),
           ' UNION ALL ')
  FROM pg_catalog.pg_class AS c
  JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
-- CASE, as AND has no order.
 WHERE CASE
           WHEN c.relkind = 'S' AND c.relpersistence <> 't' AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')
           THEN pg_catalog.has_sequence_privilege(c.oid, 'SELECT')
            AND pg_catalog.has_sequence_privilege(c.oid, 'UPDATE')
       END
