-- The texts in which single faults are planted, for `pgfsm mutate`: of functions, policies, CHECKs, views, triggers'
-- WHEN, predicates of unique indexes, and defaults. `what` says how to read the text, `source`. With `before` and
-- `after` around it, changed or not, it is the DDL that replaces the object; there may be several statements.
--
-- Left out:
--   * functions in other languages than SQL and PL/pgSQL;
--   * materialized views, which can't be replaced, and expressions of generated columns before PostgreSQL 17;
--   * predicates of other indexes: these change no result;
--   * triggers that are disabled, or fire on a replica: replacing one would enable it;
--   * what a child table or a partition inherits;
--   * defaults that are a number, a string, true or false: the family of columns has those.
WITH own AS (
    SELECT n.oid, n.nspname,
           CASE WHEN n.nspname = 'public' THEN '' ELSE pg_catalog.quote_ident(n.nspname) || '.' END AS prefix
    FROM pg_catalog.pg_namespace AS n
    WHERE n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
), of_extensions AS (
    SELECT d.classid, d.objid FROM pg_catalog.pg_depend AS d WHERE d.deptype = 'e'
), relations AS (
    SELECT c.oid, c.relkind, c.relispartition, c.reloptions, own.prefix,
           pg_catalog.format('%I.%I', own.nspname, c.relname) AS sql, own.prefix || pg_catalog.quote_ident(c.relname) AS name
    FROM pg_catalog.pg_class AS c
    JOIN own ON own.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'v')
      AND NOT EXISTS (SELECT FROM of_extensions AS e
                      WHERE e.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND e.objid = c.oid)
), columns AS (
    SELECT r.oid, r.name AS relation, c.relname, a.attname AS name,
           coalesce(pg_catalog.lead(a.attname) OVER w, pg_catalog.first_value(a.attname) OVER w) AS other,
           coalesce(pg_catalog.lead(a.attgenerated) OVER w, pg_catalog.first_value(a.attgenerated) OVER w) <> '' AS computed
    FROM relations AS r
    JOIN pg_catalog.pg_class AS c ON c.oid = r.oid
    JOIN pg_catalog.pg_attribute AS a ON a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE a.attname ~ '^[a-z_][a-z_0-9]*$' AND c.relname ~ '^[a-z_][a-z_0-9]*$'
    WINDOW w AS (PARTITION BY r.oid, a.atttypid ORDER BY a.attnum)
), functions AS (
    SELECT p.oid, CASE p.prokind WHEN 'p' THEN 'procedure' ELSE 'function' END AS kind, l.lanname,
           p.proretset, own.prefix || pg_catalog.quote_ident(p.proname) || '('
               || (SELECT coalesce(pg_catalog.string_agg(pg_catalog.regexp_replace(
                              pg_catalog.format_type(a.type, NULL), '^public\.', ''), ',' ORDER BY a.n), '')
                   FROM pg_catalog.unnest(p.proargtypes::pg_catalog.oid[]) WITH ORDINALITY AS a (type, n))
               || ')' AS name,
           pg_catalog.pg_get_functiondef(p.oid) AS definition,
           coalesce(pg_catalog.pg_get_function_sqlbody(p.oid), p.prosrc) AS source,
           p.prosqlbody IS NULL AS quoted
    FROM pg_catalog.pg_proc AS p
    JOIN own ON own.oid = p.pronamespace
    JOIN pg_catalog.pg_language AS l ON l.oid = p.prolang
    WHERE p.prokind IN ('f', 'p') AND l.lanname IN ('sql', 'plpgsql')
      AND NOT EXISTS (SELECT FROM of_extensions AS e
                      WHERE e.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND e.objid = p.oid)
), tails AS ( -- what pg_get_functiondef writes behind the text: the dollar quote's tag, which is not in the text
    SELECT f.*, CASE WHEN f.quoted THEN pg_catalog.substring(f.definition, '\$[a-z]+\$\n$') ELSE E'\n' END AS tail
    FROM functions AS f
), checks AS (
    SELECT c.conname, c.conrelid, c.contypid, pg_catalog.pg_get_constraintdef(c.oid, true) AS definition,
           pg_catalog.pg_get_expr(c.conbin, c.conrelid, true) AS source
    FROM pg_catalog.pg_constraint AS c
    WHERE c.contype = 'c' AND c.coninhcount = 0
), triggers AS (
    SELECT t.tgname, t.tgrelid, t.tgconstraint <> 0 AS of_constraint,
           pg_catalog.pg_get_triggerdef(t.oid, true) AS definition
    FROM pg_catalog.pg_trigger AS t
    WHERE t.tgqual IS NOT NULL AND t.tgenabled = 'O' AND NOT t.tgisinternal AND t.tgparentid = 0
), whens AS (
    SELECT t.*, pg_catalog.strpos(t.definition, ' WHEN (') + 6 AS head,
           pg_catalog.substring(
               pg_catalog.substr(t.definition, pg_catalog.strpos(t.definition, ' WHEN (') + 7),
               '^(.*)\) EXECUTE (?:FUNCTION|PROCEDURE) ') AS source
    FROM triggers AS t
), defaults AS (
    SELECT d.adrelid, a.attname, a.attgenerated <> '' AS generated,
           pg_catalog.pg_get_expr(d.adbin, d.adrelid, true) AS source
    FROM pg_catalog.pg_attrdef AS d
    JOIN pg_catalog.pg_attribute AS a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
    WHERE a.attinhcount = 0
), found (kind, object, relation, what, source, before, after) AS (
    SELECT f.kind, f.name, f.name, CASE WHEN f.lanname <> 'sql' THEN 'plpgsql' WHEN f.proretset THEN 'rows' ELSE 'query' END, f.source,
           pg_catalog.left(f.definition,
                           pg_catalog.length(f.definition) - pg_catalog.length(f.source) - pg_catalog.length(f.tail)),
           f.tail
    FROM tails AS f
    UNION ALL
    SELECT part.kind, pg_catalog.quote_ident(p.polname) || ' on ' || t.name, t.name, 'expression',
           pg_catalog.pg_get_expr(part.tree, p.polrelid, true),
           pg_catalog.format('ALTER POLICY %I ON %s %s (', p.polname, t.sql, part.clause), ')'
    FROM pg_catalog.pg_policy AS p
    JOIN relations AS t ON t.oid = p.polrelid
    CROSS JOIN LATERAL (VALUES ('USING of policy', 'USING', p.polqual),
                               ('WITH CHECK of policy', 'WITH CHECK', p.polwithcheck)) AS part (kind, clause, tree)
    WHERE part.tree IS NOT NULL
    UNION ALL
    SELECT 'constraint', t.name || '.' || pg_catalog.quote_ident(c.conname), t.name, 'expression', c.source,
           pg_catalog.format('ALTER TABLE %s DROP CONSTRAINT %I, ADD CONSTRAINT %I CHECK (', t.sql, c.conname, c.conname),
           pg_catalog.substr(c.definition, pg_catalog.length('CHECK (' || c.source) + 1)
    FROM checks AS c
    JOIN relations AS t ON t.oid = c.conrelid
    UNION ALL
    SELECT 'constraint', d.name || '.' || pg_catalog.quote_ident(c.conname), d.name, 'expression', c.source,
           pg_catalog.format('ALTER DOMAIN %s DROP CONSTRAINT %I; ALTER DOMAIN %s ADD CONSTRAINT %I CHECK (',
                             d.sql, c.conname, d.sql, c.conname),
           pg_catalog.substr(c.definition, pg_catalog.length('CHECK (' || c.source) + 1)
    FROM checks AS c
    JOIN (SELECT t.oid, pg_catalog.format('%I.%I', own.nspname, t.typname) AS sql,
                 own.prefix || pg_catalog.quote_ident(t.typname) AS name
          FROM pg_catalog.pg_type AS t
          JOIN own ON own.oid = t.typnamespace
          WHERE NOT EXISTS (SELECT FROM of_extensions AS e
                            WHERE e.classid = 'pg_catalog.pg_type'::pg_catalog.regclass AND e.objid = t.oid))
         AS d ON d.oid = c.contypid
    UNION ALL
    SELECT 'view', v.name, v.name, 'view', pg_catalog.rtrim(pg_catalog.pg_get_viewdef(v.oid, true), ';'),
           pg_catalog.format('CREATE OR REPLACE VIEW %s%s AS', v.sql,
                             ' WITH (' || pg_catalog.array_to_string(v.reloptions, ', ') || ')'),
           ''
    FROM relations AS v
    WHERE v.relkind = 'v'
    UNION ALL
    SELECT 'trigger', pg_catalog.quote_ident(t.tgname) || ' on ' || r.name, r.name, 'expression', t.source,
           CASE WHEN t.of_constraint
                THEN pg_catalog.format('DROP TRIGGER %I ON %s; ', t.tgname, r.sql) || pg_catalog.left(t.definition, t.head)
                ELSE 'CREATE OR REPLACE'
                     || pg_catalog.substr(pg_catalog.left(t.definition, t.head), pg_catalog.length('CREATE') + 1)
           END,
           pg_catalog.substr(t.definition, t.head + pg_catalog.length(t.source) + 1)
    FROM whens AS t
    JOIN relations AS r ON r.oid = t.tgrelid
    UNION ALL
    SELECT 'index', t.prefix || pg_catalog.quote_ident(c.relname), t.name, 'expression', i.source,
           pg_catalog.format('DROP INDEX %s%I; ', pg_catalog.quote_ident(n.nspname) || '.', c.relname)
               || pg_catalog.left(i.definition, pg_catalog.length(i.definition) - pg_catalog.length(i.source)),
           ''
    FROM (SELECT x.indexrelid, x.indrelid, pg_catalog.pg_get_expr(x.indpred, x.indrelid, true) AS source,
                 pg_catalog.replace(pg_catalog.pg_get_indexdef(x.indexrelid, 0, true),
                                    pg_catalog.format('INDEX %I ON ONLY ', r.relname),
                                    pg_catalog.format('INDEX %I ON ', r.relname)) AS definition -- and on the partitions
          FROM pg_catalog.pg_index AS x
          JOIN pg_catalog.pg_class AS r ON r.oid = x.indexrelid
          WHERE x.indisunique AND x.indpred IS NOT NULL
            AND NOT EXISTS (SELECT FROM pg_catalog.pg_inherits AS h WHERE h.inhrelid = x.indexrelid)
            AND NOT EXISTS (SELECT FROM pg_catalog.pg_constraint AS o WHERE o.conindid = x.indexrelid)) AS i
    JOIN pg_catalog.pg_class AS c ON c.oid = i.indexrelid
    JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    JOIN relations AS t ON t.oid = i.indrelid
    UNION ALL
    SELECT 'column', t.name || '.' || pg_catalog.quote_ident(d.attname), t.name, 'expression', d.source,
           pg_catalog.format('ALTER TABLE %s ALTER COLUMN %I SET ', t.sql, d.attname)
               || CASE WHEN d.generated THEN 'EXPRESSION AS (' ELSE 'DEFAULT ' END,
           CASE WHEN d.generated THEN ')' ELSE '' END
    FROM defaults AS d
    JOIN relations AS t ON t.oid = d.adrelid
    WHERE t.relkind IN ('r', 'p') AND NOT t.relispartition
      AND (NOT d.generated OR pg_catalog.current_setting('server_version_num')::pg_catalog.int4 >= 170000)
      AND d.source !~ '^\(*(-?[0-9.]+|true|false|''([^'']|'''')*'')\)*(::[^()+*/-]*(\([0-9, ]*\))?)?$'
), names (object, owner, name, other) AS (
    SELECT f.name, '', p.name,
           coalesce(pg_catalog.lead(p.name) OVER w, pg_catalog.first_value(p.name) OVER w)
    FROM functions AS f
    JOIN pg_catalog.pg_proc AS o ON o.oid = f.oid
    CROSS JOIN ROWS FROM (pg_catalog.unnest(o.proargnames), pg_catalog.unnest(o.proargmodes),
                          pg_catalog.unnest(coalesce(o.proallargtypes, o.proargtypes::pg_catalog.oid[])))
         WITH ORDINALITY AS p (name, mode, type, n)
    WHERE coalesce(p.mode, 'i') IN ('i', 'b') AND p.name ~ '^[a-z_][a-z_0-9]*$'
    WINDOW w AS (PARTITION BY f.oid, p.type ORDER BY p.n)
    UNION ALL
    SELECT f.name, row.name, c.name, c.other
    FROM functions AS f
    JOIN (SELECT t.tgfoid, pg_catalog.min(t.tgrelid) AS tgrelid FROM pg_catalog.pg_trigger AS t GROUP BY t.tgfoid) AS t
      ON t.tgfoid = f.oid
    JOIN columns AS c ON c.oid = t.tgrelid
    CROSS JOIN (VALUES ('new'), ('old')) AS row (name)
    UNION ALL
    SELECT b.object, CASE WHEN b.kind = 'trigger' THEN row.name ELSE c.relname END, c.name, c.other
    FROM found AS b
    JOIN columns AS c ON c.relation = b.relation
    CROSS JOIN (VALUES ('new'), ('old')) AS row (name)
    WHERE (b.kind = 'trigger' OR row.name = 'new')
      AND NOT (c.computed AND b.before ~ ' SET EXPRESSION AS \($') -- which can't name one that is generated, too
)
SELECT f.kind::pg_catalog.text, f.object::pg_catalog.text, f.relation::pg_catalog.text, f.what::pg_catalog.text,
       f.source::pg_catalog.text, f.before::pg_catalog.text, f.after::pg_catalog.text,
       coalesce((SELECT pg_catalog.string_agg(DISTINCT pg_catalog.concat(n.owner, '.', n.name, ' ', n.other), E'\n')
                 FROM (SELECT n.owner, n.name, n.other FROM names AS n WHERE n.object = f.object
                       UNION ALL
                       SELECT c.relname, c.name, c.other
                       FROM columns AS c
                       WHERE f.source ~* ('\m' || c.relname || '\M')
                         AND NOT (c.computed AND f.before ~ ' SET EXPRESSION AS \($')) AS n), '') AS others
FROM found AS f
ORDER BY f.object COLLATE "C", f.kind COLLATE "C", f.before COLLATE "C"
