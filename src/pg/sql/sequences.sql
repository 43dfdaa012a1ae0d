-- A query that reads where every sequence stands, as its name, its last value and whether that was handed out:
-- those that we may read and set. NULL where there is none. Each is read by a subquery of its own: of hundreds of
-- SELECTs with UNION ALL, the planner looks at all for each.
SELECT CASE WHEN pg_catalog.count(*) > 0 THEN
       pg_catalog.format('SELECT name, pg_catalog.split_part(state, %L, 1), pg_catalog.split_part(state, %L, 2) FROM '
                         'ROWS FROM (pg_catalog.unnest(ARRAY[%s]), pg_catalog.unnest(ARRAY[%s])) AS s (name, state)',
                         ' ', ' ', pg_catalog.string_agg(pg_catalog.quote_literal(s.name), ', '),
                         pg_catalog.string_agg(pg_catalog.format(
                             '(SELECT pg_catalog.concat(last_value, %L, is_called) FROM %s)', ' ', s.name), ', '))
       END
  FROM (SELECT pg_catalog.format('%I.%I', n.nspname, c.relname) AS name
          FROM pg_catalog.pg_class AS c
          JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
         -- CASE, as AND has no order.
         WHERE CASE
                   WHEN c.relkind = 'S' AND c.relpersistence <> 't' AND n.nspname !~ '^pg_'
                    AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')
                   THEN pg_catalog.has_sequence_privilege(c.oid, 'SELECT')
                    AND pg_catalog.has_sequence_privilege(c.oid, 'UPDATE')
               END) AS s
