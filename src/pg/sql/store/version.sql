-- The version of the store's tables, 0 without any; whether they run nothing but what is in pg_catalog; the encoding.
SELECT CASE WHEN pg_catalog.to_regclass('pgfsm.version') IS NULL THEN 0 ELSE 1 END,
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
                                       WHERE v.relnamespace = n.oid AND v.relname = 'version')) AS odd)
  FROM (SELECT pg_catalog.to_regnamespace('pgfsm')::pg_catalog.oid AS oid) AS n
