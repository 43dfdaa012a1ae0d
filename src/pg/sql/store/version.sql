-- Whether the store's tables are there; the encoding; what of them may run code that is not in pg_catalog; what is in a
-- schema of their name that is somebody else's; the rights that the role lacks, and the statements that give them.
SELECT ours.there::pg_catalog.int4,
       pg_catalog.current_setting('server_encoding'),
       (SELECT pg_catalog.string_agg(DISTINCT odd.what, ', ')
          FROM (SELECT 'relation ' || c.relname AS what
                  FROM pg_catalog.pg_class AS c
                 WHERE c.relnamespace = n.oid AND (c.relkind NOT IN ('r', 'i') OR c.relrowsecurity)
                UNION ALL
                SELECT 'trigger ' || t.tgname
                  FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_class AS c ON c.oid = t.tgrelid
                 WHERE c.relnamespace = n.oid AND NOT t.tgisinternal
                UNION ALL
                SELECT 'rule ' || r.rulename
                  FROM pg_catalog.pg_rewrite AS r JOIN pg_catalog.pg_class AS c ON c.oid = r.ev_class
                 WHERE c.relnamespace = n.oid
                UNION ALL
                SELECT 'constraint ' || k.conname
                  FROM pg_catalog.pg_constraint AS k
                 WHERE k.connamespace = n.oid AND k.contype IN ('c', 't', 'x')
                UNION ALL
                SELECT 'foreign key ' || k.conname
                  FROM pg_catalog.pg_constraint AS k
                  JOIN pg_catalog.pg_class AS c ON c.oid = k.conrelid
                  JOIN pg_catalog.pg_class AS p ON p.oid = k.confrelid
                 WHERE k.contype = 'f' AND n.oid IN (c.relnamespace, p.relnamespace)
                   AND c.relnamespace <> p.relnamespace
                UNION ALL
                SELECT 'inheritance of ' || c.relname
                  FROM pg_catalog.pg_inherits AS h JOIN pg_catalog.pg_class AS c ON c.oid IN (h.inhparent, h.inhrelid)
                 WHERE c.relnamespace = n.oid
                UNION ALL
                SELECT 'column ' || a.attname
                  FROM pg_catalog.pg_attribute AS a
                  JOIN pg_catalog.pg_class AS c ON c.oid = a.attrelid
                  JOIN pg_catalog.pg_type AS y ON y.oid = a.atttypid
                 WHERE c.relnamespace = n.oid AND a.attnum > 0
                   AND y.typnamespace <> 'pg_catalog'::pg_catalog.regnamespace
                UNION ALL
                SELECT 'nullable column ' || a.attname
                  FROM pg_catalog.pg_attribute AS a JOIN pg_catalog.pg_class AS c ON c.oid = a.attrelid
                 WHERE c.relnamespace = n.oid AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
                   AND NOT a.attnotnull AND a.attname NOT IN ('holder', 'lease', 'done', 'records')
                UNION ALL
                SELECT 'default of ' || c.relname
                  FROM pg_catalog.pg_attrdef AS d JOIN pg_catalog.pg_class AS c ON c.oid = d.adrelid
                 WHERE c.relnamespace = n.oid AND pg_catalog.pg_get_expr(d.adbin, d.adrelid) <> 'now()'
                UNION ALL
                SELECT 'index ' || c.relname
                  FROM pg_catalog.pg_index AS i JOIN pg_catalog.pg_class AS c ON c.oid = i.indexrelid
                 WHERE c.relnamespace = n.oid
                   AND (i.indexprs IS NOT NULL OR pg_catalog.pg_get_expr(i.indpred, i.indrelid) <> '(done IS NULL)')
                UNION ALL
                SELECT 'owner of ' || c.relname
                  FROM pg_catalog.pg_class AS c
                 WHERE c.relnamespace = n.oid AND c.relkind = 'r'
                   AND c.relowner <> (SELECT v.relowner FROM pg_catalog.pg_class AS v
                                       WHERE v.relnamespace = n.oid AND v.relname = 'version')) AS odd),
       CASE WHEN NOT ours.there THEN
           (SELECT pg_catalog.string_agg(theirs.name, ', ' ORDER BY theirs.name)
              FROM (SELECT c.relname::pg_catalog.text COLLATE pg_catalog."C" AS name
                      FROM pg_catalog.pg_class AS c
                     WHERE c.relnamespace = n.oid AND c.relkind <> 'i'
                    UNION
                    SELECT p.proname::pg_catalog.text COLLATE pg_catalog."C"
                      FROM pg_catalog.pg_proc AS p
                     WHERE p.pronamespace = n.oid
                     ORDER BY name
                     LIMIT 4) AS theirs)
       END,
       CASE WHEN ours.there THEN
           pg_catalog.concat_ws('; ',
               CASE WHEN NOT pg_catalog.has_schema_privilege(n.oid, 'USAGE') THEN 'USAGE on the schema pgfsm' END,
               (SELECT pg_catalog.string_agg(of_one.lacking, '; ' ORDER BY of_one.place)
                  FROM (SELECT r.place,
                               r.what || ' on ' || pg_catalog.string_agg(c.relname, ', ' ORDER BY c.relname) AS lacking
                          FROM pg_catalog.pg_class AS c
                         CROSS JOIN pg_catalog.unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE'])
                               WITH ORDINALITY AS r (what, place)
                         WHERE c.relnamespace = n.oid AND c.relkind = 'r'
                           AND (c.relname <> 'version' OR r.what = 'SELECT')
                           AND NOT pg_catalog.has_table_privilege(c.oid, r.what)
                         GROUP BY r.place, r.what) AS of_one))
            WHEN n.oid IS NULL AND NOT pg_catalog.has_database_privilege(pg_catalog.current_database(), 'CREATE') THEN
                pg_catalog.format('CREATE on the database %I', pg_catalog.current_database())
            WHEN NOT pg_catalog.has_schema_privilege(n.oid, 'CREATE') THEN 'CREATE on the schema pgfsm'
       END,
       CASE WHEN ours.there THEN
           pg_catalog.format('GRANT USAGE ON SCHEMA pgfsm TO %1$I; '
                             'GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA pgfsm TO %1$I',
                             CURRENT_USER)
       END
  FROM (SELECT pg_catalog.to_regnamespace('pgfsm')::pg_catalog.oid AS oid) AS n
 CROSS JOIN LATERAL (SELECT pg_catalog.count(*) = 4 AS there
                       FROM (VALUES ('version', 'version'), ('failure', 'identity'), ('run', 'examples'),
                                    ('chunk', 'records')) AS w (relation, attribute)
                       JOIN pg_catalog.pg_class AS c ON c.relnamespace = n.oid AND c.relname = w.relation
                       JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attname = w.attribute) AS ours
