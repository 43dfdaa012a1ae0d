-- Single faults in columns and in the defaults of domains, for `pgfsm mutate`. Left out:
--   * what a partition or child table inherits;
--   * DROP IDENTITY, which drops the sequence, too;
--   * virtual generated columns (18), which the server does not make plain;
--   * a shorter type, where the server does not change the type because something uses the column (a view, a policy, a
--     trigger, a generated column, the partition key, a column of the row's type), and of a domain, whose type never
--     changes.
WITH tables AS (
    SELECT c.oid, c.relkind, c.relispartition, c.reloftype, c.reltype,
           pg_catalog.format('ALTER TABLE %I.%I', n.nspname, c.relname) AS alter,
           CASE WHEN n.nspname = 'public' THEN pg_catalog.quote_ident(c.relname)
                ELSE pg_catalog.format('%I.%I', n.nspname, c.relname) END AS name
    FROM pg_catalog.pg_class AS c
    JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'v') AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
      AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend AS d
                      WHERE d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objid = c.oid
                        AND d.deptype = 'e')
), columns AS (
    SELECT a.*, t.name AS relation, t.name || '.' || pg_catalog.quote_ident(a.attname) AS object,
           pg_catalog.format('%s ALTER COLUMN %I ', t.alter, a.attname) AS alter,
           t.relkind, t.relispartition, t.reloftype, t.reltype,
           pg_catalog.pg_get_expr(d.adbin, d.adrelid) AS value, -- the default, or what is generated
           CASE y.typtype WHEN 'd' THEN b.typname ELSE y.typname END AS type, y.typcollation,
           y.typtype = 'd' AND y.typdefault IS NOT NULL AS domain_default
    FROM pg_catalog.pg_attribute AS a
    JOIN tables AS t ON t.oid = a.attrelid
    JOIN pg_catalog.pg_type AS y ON y.oid = a.atttypid
    LEFT JOIN pg_catalog.pg_type AS b ON b.oid = y.typbasetype
    LEFT JOIN pg_catalog.pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE a.attnum > 0 AND NOT a.attisdropped
), defaults AS (
    SELECT 'column' AS kind, c.object, c.relation, c.alter, c.value, c.type, c.domain_default
    FROM columns AS c
    WHERE c.value IS NOT NULL AND c.attgenerated = ''
      AND NOT (c.relispartition
               AND EXISTS (SELECT FROM pg_catalog.pg_inherits AS h
                           JOIN pg_catalog.pg_attribute AS p ON p.attrelid = h.inhparent AND p.attname = c.attname
                           JOIN pg_catalog.pg_attrdef AS d ON d.adrelid = p.attrelid AND d.adnum = p.attnum
                           WHERE h.inhrelid = c.attrelid
                             AND pg_catalog.pg_get_expr(d.adbin, d.adrelid) = c.value))
    UNION ALL
    SELECT 'domain', n.name, n.name, pg_catalog.format('ALTER DOMAIN %I.%I ', s.nspname, t.typname), t.typdefault,
           b.typname, b.typtype = 'd' AND b.typdefault IS NOT NULL
    FROM pg_catalog.pg_type AS t
    JOIN pg_catalog.pg_namespace AS s ON s.oid = t.typnamespace
    JOIN pg_catalog.pg_type AS b ON b.oid = t.typbasetype
    CROSS JOIN LATERAL (SELECT CASE WHEN s.nspname = 'public' THEN pg_catalog.quote_ident(t.typname)
                                    ELSE pg_catalog.format('%I.%I', s.nspname, t.typname) END AS name) AS n
    WHERE t.typtype = 'd' AND t.typdefault IS NOT NULL
      AND s.nspname <> 'information_schema' AND s.nspname !~ '^pg_'
      AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend AS d
                      WHERE d.classid = 'pg_catalog.pg_type'::pg_catalog.regclass AND d.objid = t.oid
                        AND d.deptype = 'e')
), changed_defaults (operator, kind, object, relation, was, becomes, alter) AS (
    SELECT 'default-' || s.name, d.kind, d.object, d.relation, d.value, (m.number[1]::pg_catalog.numeric + s.step)::pg_catalog.text,
           d.alter
    FROM defaults AS d
    CROSS JOIN LATERAL pg_catalog.regexp_match(
        d.value, '^\(?''?(-?[0-9]+(?:\.[0-9]+)?)''?\)?(?:::[a-z0-9_ ."(),]+)?$') AS m (number)
    CROSS JOIN (VALUES ('plus-one', 1), ('minus-one', -1)) AS s (name, step)
    WHERE m.number IS NOT NULL AND d.type IN ('int2', 'int4', 'int8', 'numeric', 'float4', 'float8')
    UNION ALL
    SELECT 'default-negated', d.kind, d.object, d.relation, d.value, CASE d.value WHEN 'true' THEN 'false' ELSE 'true' END,
           d.alter
    FROM defaults AS d
    WHERE d.type = 'bool' AND d.value IN ('true', 'false')
), sized AS ( -- columns whose type has a length or a precision
    SELECT c.*, l.operator, pg_catalog.format_type(c.atttypid, l.typmod) AS definition
    FROM columns AS c
    CROSS JOIN LATERAL (
        SELECT 'shorter-type' AS operator, c.atttypmod - 1 AS typmod
        WHERE c.type IN ('varchar', 'bpchar') AND c.atttypmod > 5 OR c.type IN ('bit', 'varbit') AND c.atttypmod > 1
        UNION ALL
        SELECT 'less-precision', c.atttypmod - 1
        WHERE c.type IN ('time', 'timetz', 'timestamp', 'timestamptz') AND c.atttypmod > 0
        UNION ALL
        SELECT 'less-' || p.part, c.atttypmod - p.one
        FROM (VALUES ('precision', 65536), ('scale', 1)) AS p (part, one)
        WHERE c.type = 'numeric' AND c.atttypmod > 4
          AND CASE p.part WHEN 'scale' THEN (c.atttypmod - 4) & 2047 BETWEEN 1 AND 1023
                          ELSE (c.atttypmod - 4) >> 16 > (c.atttypmod - 4) & 2047 AND (c.atttypmod - 4) >> 16 > 1 END
    ) AS l
    WHERE c.relkind IN ('r', 'p') AND c.attinhcount = 0 AND c.reloftype = 0
      AND pg_catalog.format_type(c.atttypid, l.typmod) <> pg_catalog.format_type(c.atttypid, c.atttypmod)
      AND c.atttypid IN (SELECT t.oid FROM pg_catalog.pg_type AS t WHERE t.typtype = 'b')
      AND NOT EXISTS (
          SELECT FROM pg_catalog.pg_depend AS d
          LEFT JOIN pg_catalog.pg_class AS x ON d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND x.oid = d.objid
          LEFT JOIN pg_catalog.pg_attrdef AS f
                 ON d.classid = 'pg_catalog.pg_attrdef'::pg_catalog.regclass AND f.oid = d.objid
          WHERE d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.refobjid = c.attrelid
            AND d.refobjsubid = c.attnum
            AND NOT (d.classid = 'pg_catalog.pg_constraint'::pg_catalog.regclass
                     OR d.classid = 'pg_catalog.pg_statistic_ext'::pg_catalog.regclass
                     OR coalesce(x.relkind IN ('i', 'I', 'S'), false)
                     OR coalesce(f.adrelid = c.attrelid AND f.adnum = c.attnum, false)))
      AND NOT EXISTS (SELECT FROM pg_catalog.pg_partitioned_table AS p
                      WHERE p.partrelid = c.attrelid AND (c.attnum = ANY (p.partattrs) OR 0 = ANY (p.partattrs)))
      AND c.reltype NOT IN (SELECT CASE WHEN t.typelem <> 0 THEN t.typelem ELSE t.oid END
                            FROM pg_catalog.pg_attribute AS o
                            JOIN pg_catalog.pg_type AS t ON t.oid = o.atttypid)
), found (operator, kind, object, relation, was, becomes, ddl, equivalent) AS (
    SELECT 'drop-default', d.kind, d.object, d.relation, 'DEFAULT ' || d.value, '', d.alter || 'DROP DEFAULT',
           CASE WHEN d.value ~ '^NULL(::.*)?$' AND NOT d.domain_default THEN 'NULL is the default anyway' END
    FROM defaults AS d
    UNION ALL
    SELECT d.operator, d.kind, d.object, d.relation, 'DEFAULT ' || d.was, 'DEFAULT ' || d.becomes,
           d.alter || 'SET DEFAULT ' || d.becomes, NULL
    FROM changed_defaults AS d
    UNION ALL
    SELECT CASE c.attidentity WHEN 'a' THEN 'identity-by-default' ELSE 'identity-always' END, 'column', c.object, c.relation,
           pg_catalog.format('GENERATED %s AS IDENTITY', CASE c.attidentity WHEN 'a' THEN 'ALWAYS' ELSE 'BY DEFAULT' END),
           pg_catalog.format('GENERATED %s AS IDENTITY', CASE c.attidentity WHEN 'a' THEN 'BY DEFAULT' ELSE 'ALWAYS' END),
           pg_catalog.format('%sSET GENERATED %s', c.alter, CASE c.attidentity WHEN 'a' THEN 'BY DEFAULT' ELSE 'ALWAYS' END),
           NULL
    FROM columns AS c
    WHERE c.attidentity <> '' AND NOT c.relispartition
    UNION ALL
    SELECT 'drop-expression', 'column', c.object, c.relation,
           pg_catalog.format('GENERATED ALWAYS AS (%s) STORED', c.value), '', c.alter || 'DROP EXPRESSION', NULL
    FROM columns AS c
    WHERE c.attgenerated = 's' AND c.attinhcount = 0
    UNION ALL
    SELECT s.operator, 'column', s.object, s.relation, pg_catalog.format_type(s.atttypid, s.atttypmod), s.definition,
           pg_catalog.format('%sTYPE %s%s', s.alter, s.definition,
                             CASE WHEN s.attcollation <> s.typcollation
                                  THEN ' COLLATE ' || s.attcollation::pg_catalog.regcollation::pg_catalog.text END),
           NULL
    FROM sized AS s
)
SELECT operator::pg_catalog.text, kind::pg_catalog.text, object::pg_catalog.text, relation::pg_catalog.text,
       pg_catalog.regexp_replace(pg_catalog.regexp_replace(was, '\s*\n\s*', ' ', 'g'), '\mpublic\.', '', 'g') AS was,
       pg_catalog.regexp_replace(pg_catalog.regexp_replace(becomes, '\s*\n\s*', ' ', 'g'), '\mpublic\.', '', 'g') AS becomes,
       ddl::pg_catalog.text, equivalent::pg_catalog.text
FROM found
ORDER BY object COLLATE "C", operator COLLATE "C", becomes COLLATE "C"
