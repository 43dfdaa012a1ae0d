-- What the schema consists of, a row for each part of an object: the object, the last part of its name, which part it
-- is, and its definition. Nothing has a name in it that only errors show. Definitions of two servers of the same version
-- can be compared; the row without an object has the version. Without what extensions have made, and temporary tables.
WITH extended AS MATERIALIZED (
    SELECT d.classid, d.objid FROM pg_catalog.pg_depend AS d WHERE d.deptype = 'e'
), schemas AS MATERIALIZED (
    SELECT n.oid, n.nspname FROM pg_catalog.pg_namespace AS n WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
), relations AS MATERIALIZED (
    SELECT c.oid, c.relname AS name, c.relkind, c.relrowsecurity, c.relforcerowsecurity, c.relacl, c.reloptions,
           pg_catalog.format('%s %I.%I', CASE c.relkind WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view' ELSE 'table' END,
                  n.nspname, c.relname) AS object
    FROM pg_catalog.pg_class AS c
    JOIN schemas AS n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'v', 'm') AND NOT c.relispartition AND c.relpersistence <> 't'
      AND NOT EXISTS (SELECT FROM extended AS e WHERE e.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND e.objid = c.oid)
), functions AS MATERIALIZED (
    SELECT p.oid, p.proname AS name, p.prokind, p.proacl, 'function ' || p.oid::pg_catalog.regprocedure::pg_catalog.text AS object
    FROM pg_catalog.pg_proc AS p
    JOIN schemas AS n ON n.oid = p.pronamespace
    WHERE NOT EXISTS (SELECT FROM extended AS e WHERE e.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND e.objid = p.oid)
), types AS MATERIALIZED (
    SELECT t.oid, t.typname AS name, t.typtype, t.typbasetype, t.typtypmod, t.typnotnull, t.typdefault, t.typrelid,
           pg_catalog.format('type %I.%I', n.nspname, t.typname) AS object
    FROM pg_catalog.pg_type AS t
    JOIN schemas AS n ON n.oid = t.typnamespace
    LEFT JOIN pg_catalog.pg_class AS c ON c.oid = t.typrelid
    WHERE (t.typtype IN ('d', 'e') OR c.relkind = 'c')
      AND NOT EXISTS (SELECT FROM extended AS e WHERE e.classid = 'pg_catalog.pg_type'::pg_catalog.regclass AND e.objid = t.oid)
), holders (oid, name, object) AS ( -- of columns
    SELECT r.oid, r.name, r.object FROM relations AS r WHERE r.relkind IN ('r', 'p')
    UNION ALL
    SELECT t.typrelid, t.name, t.object FROM types AS t WHERE t.typtype = 'c'
), parts (object, name, part, definition) AS (
    SELECT '', '', 'version', (pg_catalog.current_setting('server_version_num')::pg_catalog.int4 / 10000)::pg_catalog.text
    UNION ALL
    SELECT h.object, h.name, 'column',
           pg_catalog.concat_ws(' ', pg_catalog.quote_ident(a.attname), pg_catalog.format_type(a.atttypid, a.atttypmod),
                     CASE WHEN a.attcollation <> t.typcollation THEN a.attcollation::pg_catalog.regcollation END,
                     CASE WHEN a.attnotnull THEN 'not null' END, 'identity ' || nullif(a.attidentity::pg_catalog.text, ''),
                     CASE WHEN a.attgenerated <> '' THEN 'as' ELSE 'default' END || ' ' || pg_catalog.pg_get_expr(d.adbin, d.adrelid))
    FROM holders AS h
    JOIN pg_catalog.pg_attribute AS a ON a.attrelid = h.oid AND a.attnum > 0 AND NOT a.attisdropped
    JOIN pg_catalog.pg_type AS t ON t.oid = a.atttypid
    LEFT JOIN pg_catalog.pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    UNION ALL
    SELECT r.object, r.name, 'constraint', pg_catalog.pg_get_constraintdef(c.oid)
    FROM relations AS r
    JOIN pg_catalog.pg_constraint AS c ON c.conrelid = r.oid AND c.contype IN ('c', 'f', 'p', 'u', 'x')
    UNION ALL
    SELECT r.object, r.name, 'index', pg_catalog.regexp_replace(pg_catalog.pg_get_indexdef(i.indexrelid), ' INDEX .*? ON ', ' INDEX ON ')
    FROM relations AS r
    JOIN pg_catalog.pg_index AS i ON i.indrelid = r.oid AND (i.indisunique OR i.indexprs IS NOT NULL OR i.indpred IS NOT NULL)
    WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_constraint AS c WHERE c.conindid = i.indexrelid AND c.conrelid = r.oid)
    UNION ALL
    SELECT r.object, r.name, 'trigger', pg_catalog.concat_ws(' ', nullif(t.tgenabled, 'O'), pg_catalog.pg_get_triggerdef(t.oid))
    FROM relations AS r
    JOIN pg_catalog.pg_trigger AS t ON t.tgrelid = r.oid AND NOT t.tgisinternal
    UNION ALL
    SELECT r.object, r.name, 'rule', pg_catalog.concat_ws(' ', nullif(w.ev_enabled, 'O'), pg_catalog.pg_get_ruledef(w.oid))
    FROM relations AS r
    JOIN pg_catalog.pg_rewrite AS w ON w.ev_class = r.oid AND w.rulename <> '_RETURN'
    UNION ALL
    SELECT r.object, r.name, 'policy',
           pg_catalog.concat_ws(' ', p.polcmd, p.polpermissive,
                     (SELECT pg_catalog.string_agg(n.role, ',' ORDER BY n.role)
                      FROM pg_catalog.unnest(p.polroles) AS o, pg_catalog.pg_get_userbyid(o) AS n (role)),
                     'using', pg_catalog.pg_get_expr(p.polqual, p.polrelid), 'check', pg_catalog.pg_get_expr(p.polwithcheck, p.polrelid))
    FROM relations AS r
    JOIN pg_catalog.pg_policy AS p ON p.polrelid = r.oid
    UNION ALL
    SELECT r.object, r.name, 'row security', r.relforcerowsecurity::pg_catalog.text FROM relations AS r WHERE r.relrowsecurity
    UNION ALL
    SELECT r.object, r.name, 'definition', pg_catalog.concat_ws(' ', r.reloptions::pg_catalog.text, pg_catalog.pg_get_viewdef(r.oid))
    FROM relations AS r WHERE r.relkind IN ('v', 'm')
    UNION ALL
    SELECT r.object, r.name, 'privilege', a::pg_catalog.text FROM relations AS r, pg_catalog.unnest(r.relacl) AS a
    UNION ALL
    SELECT r.object, r.name, 'privilege', pg_catalog.concat_ws(' ', pg_catalog.quote_ident(c.attname), a::pg_catalog.text)
    FROM relations AS r
    JOIN pg_catalog.pg_attribute AS c ON c.attrelid = r.oid AND NOT c.attisdropped, pg_catalog.unnest(c.attacl) AS a
    UNION ALL
    SELECT f.object, f.name, 'definition',
           CASE f.prokind WHEN 'a' THEN pg_catalog.concat_ws(' ', a.aggtransfn, a.aggfinalfn, a.agginitval)
                          ELSE pg_catalog.pg_get_functiondef(f.oid) END
    FROM functions AS f
    LEFT JOIN pg_catalog.pg_aggregate AS a ON a.aggfnoid = f.oid
    UNION ALL
    SELECT f.object, f.name, 'privilege', a::pg_catalog.text FROM functions AS f, pg_catalog.unnest(f.proacl) AS a
    UNION ALL
    SELECT t.object, t.name, 'label', pg_catalog.string_agg(pg_catalog.quote_literal(e.enumlabel), ', ' ORDER BY e.enumsortorder)
    FROM types AS t
    JOIN pg_catalog.pg_enum AS e ON e.enumtypid = t.oid
    GROUP BY t.object, t.name
    UNION ALL
    SELECT t.object, t.name, 'definition',
           pg_catalog.concat_ws(' ', pg_catalog.format_type(t.typbasetype, t.typtypmod),
                     CASE WHEN t.typnotnull THEN 'not null' END, t.typdefault,
                     (SELECT pg_catalog.string_agg(d.text, ' ' ORDER BY d.text)
                      FROM (SELECT pg_catalog.pg_get_constraintdef(c.oid) AS text FROM pg_catalog.pg_constraint AS c
                            WHERE c.contypid = t.oid AND c.contype = 'c') AS d))
    FROM types AS t WHERE t.typtype = 'd'
)
SELECT p.object, p.name, p.part, p.definition
FROM parts AS p
ORDER BY p.object COLLATE "C", p.part COLLATE "C", p.definition COLLATE "C"
