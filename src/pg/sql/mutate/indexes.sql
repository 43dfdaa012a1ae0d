-- Single faults in unique indexes that are not behind a constraint, for `pgfsm mutate`. Left out: indexes that are not
-- unique, which change no result; what something depends on, such as a foreign key; what a partition has from its
-- parent; a column of the partition key, which a unique index must have.
WITH tables AS (
    SELECT c.oid, pg_catalog.format('%I.%I', n.nspname, c.relname) AS sql,
           CASE WHEN n.nspname = 'public' THEN pg_catalog.quote_ident(c.relname)
                ELSE pg_catalog.format('%I.%I', n.nspname, c.relname) END AS name
    FROM pg_catalog.pg_class AS c
    JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'm') AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
), indexes AS (
    SELECT i.*, t.name AS relation, n.prefix || pg_catalog.quote_ident(x.relname) AS object,
           pg_catalog.format('DROP INDEX %I.%I; ', s.nspname, x.relname) AS drop,
           pg_catalog.format('CREATE UNIQUE INDEX %I ON %s USING %I (', x.relname, t.sql, m.amname) AS head,
           CASE x.relkind
               WHEN 'I' THEN pg_catalog.replace(pg_catalog.pg_get_indexdef(i.indexrelid),
                                                pg_catalog.format('INDEX %I ON ONLY ', x.relname),
                                                pg_catalog.format('INDEX %I ON ', x.relname)) -- and on the partitions
               ELSE pg_catalog.pg_get_indexdef(i.indexrelid)
           END AS definition,
           coalesce((pg_catalog.to_jsonb(i) ->> 'indnullsnotdistinct')::pg_catalog.bool, false) AS nulls_equal,
           (SELECT ' INCLUDE (' || pg_catalog.string_agg(pg_catalog.quote_ident(a.attname), ', ' ORDER BY k.n) || ')'
            FROM pg_catalog.unnest(i.indkey::pg_catalog.int2[]) WITH ORDINALITY AS k (number, n)
            JOIN pg_catalog.pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = k.number
            WHERE k.n > i.indnkeyatts) AS included,
           ' WHERE ' || pg_catalog.pg_get_expr(i.indpred, i.indrelid) AS predicate
    FROM pg_catalog.pg_index AS i
    JOIN tables AS t ON t.oid = i.indrelid
    JOIN pg_catalog.pg_class AS x ON x.oid = i.indexrelid
    JOIN pg_catalog.pg_am AS m ON m.oid = x.relam
    JOIN pg_catalog.pg_namespace AS s ON s.oid = x.relnamespace
    CROSS JOIN LATERAL (
        SELECT CASE WHEN s.nspname = 'public' THEN '' ELSE pg_catalog.quote_ident(s.nspname) || '.' END AS prefix
    ) AS n
    WHERE i.indisunique AND NOT x.relispartition
      AND NOT EXISTS (SELECT FROM pg_catalog.pg_constraint AS c
                      WHERE c.conindid = i.indexrelid AND c.contype IN ('p', 'u', 'x'))
      AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend AS d
                      WHERE d.deptype = 'n' AND d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass
                        AND d.refobjid = i.indexrelid
                         OR d.deptype = 'e' AND d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass
                            AND d.objid IN (i.indexrelid, i.indrelid))
), keys AS ( -- as in CREATE INDEX
    SELECT i.indexrelid, i.n, i.number, pg_catalog.concat(
               pg_catalog.pg_get_indexdef(i.indexrelid, i.n::pg_catalog.int4, false),
               CASE WHEN i.collation <> coalesce(a.attcollation, 0) AND i.collation <> 0
                    THEN ' COLLATE ' || i.collation::pg_catalog.regcollation::pg_catalog.text END,
               CASE WHEN NOT o.opcdefault THEN pg_catalog.format(' %I.%I', n.nspname, o.opcname) END,
               CASE i.option & 3 WHEN 1 THEN ' DESC NULLS LAST' WHEN 2 THEN ' NULLS FIRST' WHEN 3 THEN ' DESC' END) AS key
    FROM (SELECT x.indexrelid, x.indrelid, k.n, x.indkey[k.n - 1] AS number, x.indcollation[k.n - 1] AS collation,
                 x.indclass[k.n - 1] AS class, x.indoption[k.n - 1] AS option
          FROM indexes AS x
          CROSS JOIN pg_catalog.generate_series(1, x.indnkeyatts) AS k (n)) AS i
    JOIN pg_catalog.pg_opclass AS o ON o.oid = i.class
    JOIN pg_catalog.pg_namespace AS n ON n.oid = o.opcnamespace
    LEFT JOIN pg_catalog.pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = i.number
), doubled AS ( -- by a key with the same columns, which was made earlier: the error names that one
    SELECT i.indexrelid
    FROM indexes AS i
    JOIN pg_catalog.pg_index AS o ON o.indrelid = i.indrelid AND o.indexrelid < i.indexrelid
    JOIN pg_catalog.pg_constraint AS c ON c.conindid = o.indexrelid AND c.contype IN ('p', 'u') AND NOT c.condeferrable
    CROSS JOIN LATERAL (
        SELECT ARRAY(SELECT k.number FROM pg_catalog.unnest(i.indkey::pg_catalog.int2[]) WITH ORDINALITY AS k (number, n)
                     WHERE k.n <= i.indnkeyatts ORDER BY k.number) AS these,
               ARRAY(SELECT k.number FROM pg_catalog.unnest(c.conkey) AS k (number) ORDER BY k.number) AS others
    ) AS columns
    WHERE columns.these = columns.others AND i.indexprs IS NULL
      AND (o.indisprimary OR NOT i.nulls_equal
           OR coalesce((pg_catalog.to_jsonb(o) ->> 'indnullsnotdistinct')::pg_catalog.bool, false))
      AND NOT EXISTS (SELECT FROM keys AS k
                      JOIN pg_catalog.pg_opclass AS p ON p.oid = i.indclass[k.n - 1]
                      WHERE k.indexrelid = i.indexrelid AND (k.key ~ ' COLLATE ' OR NOT p.opcdefault))
), changed (operator, indexrelid, becomes, equivalent) AS (
    SELECT 'index-not-unique', i.indexrelid, pg_catalog.replace(i.definition, 'CREATE UNIQUE INDEX ', 'CREATE INDEX '),
           CASE WHEN i.indexrelid IN (SELECT indexrelid FROM doubled) THEN 'another key has the same columns' END
    FROM indexes AS i
    UNION ALL
    SELECT 'index-without-predicate', i.indexrelid,
           pg_catalog.left(i.definition, - pg_catalog.length(i.predicate)), NULL
    FROM indexes AS i
    WHERE pg_catalog.right(i.definition, pg_catalog.length(i.predicate)) = i.predicate
    UNION ALL
    SELECT 'index-without-column', i.indexrelid, pg_catalog.concat(
               i.head,
               (SELECT pg_catalog.string_agg(k.key, ', ' ORDER BY k.n) FROM keys AS k
                WHERE k.indexrelid = i.indexrelid AND k.n <> less.n),
               ')', i.included, CASE WHEN i.nulls_equal THEN ' NULLS NOT DISTINCT' END, i.predicate), NULL
    FROM indexes AS i
    JOIN keys AS less ON less.indexrelid = i.indexrelid
    WHERE i.indnkeyatts > 1
      AND NOT EXISTS (SELECT FROM pg_catalog.pg_partitioned_table AS p
                      WHERE p.partrelid = i.indrelid AND less.number = ANY (p.partattrs))
    UNION ALL
    SELECT CASE WHEN i.nulls_equal THEN 'nulls-distinct' ELSE 'nulls-not-distinct' END, i.indexrelid, pg_catalog.concat(
               i.head, (SELECT pg_catalog.string_agg(k.key, ', ' ORDER BY k.n) FROM keys AS k WHERE k.indexrelid = i.indexrelid),
               ')', i.included, CASE WHEN NOT i.nulls_equal THEN ' NULLS NOT DISTINCT' END, i.predicate), NULL
    FROM indexes AS i
    WHERE pg_catalog.current_setting('server_version_num')::pg_catalog.int4 >= 150000
      AND i.indexrelid NOT IN (SELECT indexrelid FROM doubled)
      AND EXISTS (SELECT FROM keys AS k
                  JOIN pg_catalog.pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = k.number
                  WHERE k.indexrelid = i.indexrelid AND NOT a.attnotnull)
)
SELECT *
FROM (
    SELECT c.operator::pg_catalog.text, 'index'::pg_catalog.text AS kind, i.object::pg_catalog.text, i.relation::pg_catalog.text,
           pg_catalog.regexp_replace(pg_catalog.regexp_replace(i.definition, '\s*\n\s*', ' ', 'g'),
                                     '\m(public|pg_catalog)\.', '', 'g') AS was,
           pg_catalog.regexp_replace(pg_catalog.regexp_replace(c.becomes, '\s*\n\s*', ' ', 'g'),
                                     '\m(public|pg_catalog)\.', '', 'g') AS becomes,
           (i.drop || c.becomes)::pg_catalog.text AS ddl, c.equivalent::pg_catalog.text
    FROM changed AS c
    JOIN indexes AS i ON i.indexrelid = c.indexrelid
) AS mutants
ORDER BY object COLLATE "C", operator COLLATE "C", becomes COLLATE "C"
