-- Single faults in constraints, for `pgfsm mutate`. Left out:
--   * a key that something depends on, such as a foreign key or a view's GROUP BY: the server drops it only with that;
--   * what a child table inherits, and NOT NULL of an identity column, which the server does not drop;
--   * NO ACTION made RESTRICT, or the reverse: the row stays either way;
--   * SET NULL where a column of the foreign key is NOT NULL: the row stays, as with NO ACTION;
--   * a column more in a key of one column that the database draws, or with another key in it, or one more that
--     differs in each row: the first two never meet an equal one, and with the third the key may as well be dropped;
--   * ON UPDATE NO ACTION, which is what there is if nobody wrote anything, where the database itself draws the key.
--     Such a key is not changed, and does not meet an equal one either, so it isn't made DEFERRABLE.
-- Where a column is exchanged for another one, that is the next one of its type. Rows that are there already are not
-- compared with what a foreign key refers to then: a fault that the server refuses at once tells nothing.
WITH tables AS (
    SELECT c.oid, c.relkind, c.relispartition, pg_catalog.format('%I.%I', n.nspname, c.relname) AS sql,
           CASE WHEN n.nspname = 'public' THEN pg_catalog.quote_ident(c.relname)
                ELSE pg_catalog.format('%I.%I', n.nspname, c.relname) END AS name
    FROM pg_catalog.pg_class AS c
    JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p') AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
      AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend AS d
                      WHERE d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objid = c.oid
                        AND d.deptype = 'e')
), domains AS (
    SELECT t.oid, t.typnotnull, pg_catalog.format('%I.%I', n.nspname, t.typname) AS sql,
           CASE WHEN n.nspname = 'public' THEN pg_catalog.quote_ident(t.typname)
                ELSE pg_catalog.format('%I.%I', n.nspname, t.typname) END AS name
    FROM pg_catalog.pg_type AS t
    JOIN pg_catalog.pg_namespace AS n ON n.oid = t.typnamespace
    WHERE t.typtype = 'd' AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
      AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend AS d
                      WHERE d.classid = 'pg_catalog.pg_type'::pg_catalog.regclass AND d.objid = t.oid
                        AND d.deptype = 'e')
), constraints AS (
    SELECT c.*, t.sql, t.name AS relation, t.name || '.' || pg_catalog.quote_ident(c.conname) AS object,
           pg_catalog.format('ALTER TABLE %s DROP CONSTRAINT %I', t.sql, c.conname) AS drop,
           pg_catalog.pg_get_constraintdef(c.oid) AS exact,
           pg_catalog.pg_get_constraintdef(c.oid, true) AS shown,
           CASE WHEN c.condeferred THEN ' DEFERRABLE INITIALLY DEFERRED' WHEN c.condeferrable THEN ' DEFERRABLE'
                ELSE '' END AS deferral,
           -- Columns of later versions.
           coalesce((pg_catalog.to_jsonb(c) ->> 'conenforced')::pg_catalog.bool, true) AS enforced,
           coalesce((pg_catalog.to_jsonb(c) ->> 'conperiod')::pg_catalog.bool, false) AS period,
           coalesce((pg_catalog.to_jsonb(i) ->> 'indnullsnotdistinct')::pg_catalog.bool, false) AS nulls_equal,
           i.indkey, i.indnkeyatts, i.indnatts, i.indclass, i.indcollation, i.indrelid,
           pg_catalog.pg_get_expr(i.indpred, i.indrelid, true) AS predicate
    FROM pg_catalog.pg_constraint AS c
    JOIN tables AS t ON t.oid = c.conrelid
    LEFT JOIN pg_catalog.pg_index AS i ON i.indexrelid = c.conindid AND c.contype IN ('p', 'u', 'x')
    WHERE c.contype IN ('c', 'f', 'p', 'u', 'x') AND c.coninhcount = 0 AND c.conparentid = 0
      AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend AS d
                      WHERE d.deptype = 'n' AND c.contype <> 'f'
                        AND (d.refclassid = 'pg_catalog.pg_constraint'::pg_catalog.regclass AND d.refobjid = c.oid
                             OR d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass
                                AND d.refobjid = c.conindid))
), uniques AS ( -- that two rows of the same values can't get past
    SELECT i.indrelid, c.conindid, i.indisprimary,
           coalesce((pg_catalog.to_jsonb(i) ->> 'indnullsnotdistinct')::pg_catalog.bool, false) AS nulls_equal,
           ARRAY(SELECT k.number FROM pg_catalog.unnest(i.indkey::pg_catalog.int2[]) WITH ORDINALITY AS k (number, n)
                 WHERE k.n <= i.indnkeyatts ORDER BY k.number) AS columns
    FROM pg_catalog.pg_index AS i
    JOIN pg_catalog.pg_constraint AS c ON c.conindid = i.indexrelid AND c.contype IN ('p', 'u') AND NOT c.condeferrable
), doubled AS ( -- a key with the columns of an earlier one; the error names the earlier one
    SELECT this.conindid
    FROM uniques AS this
    JOIN uniques AS other ON other.indrelid = this.indrelid AND other.columns = this.columns
                         AND other.conindid < this.conindid
                         AND (other.indisprimary OR other.nulls_equal = this.nulls_equal)
), columns AS (
    SELECT a.attrelid, a.attnum, a.attidentity, pg_catalog.quote_ident(a.attname) AS name,
           EXISTS (SELECT FROM pg_catalog.pg_index AS i
                   WHERE i.indrelid = a.attrelid AND i.indisprimary AND a.attnum = ANY (i.indkey)) AS of_primary_key,
           EXISTS (SELECT FROM pg_catalog.pg_index AS i
                   WHERE i.indrelid = a.attrelid AND i.indisreplident AND a.attnum = ANY (i.indkey)) AS of_identity,
           a.attnotnull, a.attgenerated <> '' AS generated, a.atthasdef OR a.attidentity <> '' AS drawn, a.atttypid, a.attinhcount,
           EXISTS (SELECT FROM pg_catalog.pg_type AS t
                   WHERE t.oid = a.atttypid AND (t.typcategory IN ('B', 'D', 'E', 'N', 'S', 'T')
                                                 OR t.typname IN ('uuid', 'bytea'))) AS sorts,
           a.attidentity <> ''
           OR EXISTS (SELECT FROM pg_catalog.pg_attrdef AS d
                      WHERE d.adrelid = a.attrelid AND d.adnum = a.attnum
                        AND pg_catalog.pg_get_expr(d.adbin, d.adrelid) ~ '[(]') AS varies,
           EXISTS (SELECT FROM pg_catalog.pg_index AS i
                   WHERE i.indrelid = a.attrelid AND i.indisunique AND i.indnkeyatts = 1 AND i.indkey[0] = a.attnum) AS is_unique,
           EXISTS (SELECT FROM pg_catalog.pg_inherits AS h
                   JOIN pg_catalog.pg_attribute AS p ON p.attrelid = h.inhparent AND p.attname = a.attname
                   WHERE h.inhrelid = a.attrelid AND p.attnotnull) AS inherited,
           EXISTS (SELECT FROM pg_catalog.pg_partitioned_table AS p
                   WHERE p.partrelid = a.attrelid AND a.attnum = ANY (p.partattrs)) AS of_partition_key
    FROM pg_catalog.pg_attribute AS a
    WHERE a.attrelid IN (SELECT oid FROM tables) AND a.attnum > 0 AND NOT a.attisdropped
), neighbours AS ( -- for each column another one that a key could have instead
    SELECT p.attrelid, p.attnum, o.attnum AS other, o.name, o.attnotnull
    FROM (SELECT a.attrelid, a.attnum,
                 coalesce(pg_catalog.lead(a.attnum) OVER w, pg_catalog.first_value(a.attnum) OVER w) AS other
          FROM columns AS a
          WHERE NOT a.generated AND NOT (a.of_primary_key AND a.drawn)
          WINDOW w AS (PARTITION BY a.attrelid, a.atttypid ORDER BY a.attnum)) AS p
    JOIN columns AS o ON o.attrelid = p.attrelid AND o.attnum = p.other
    WHERE p.other <> p.attnum
), additions AS ( -- for each key of a table one more column: the next one that is not a key itself
    SELECT DISTINCT ON (c.oid) c.oid, a.name
    FROM constraints AS c
    JOIN columns AS a ON a.attrelid = c.conrelid AND a.attnum <> ALL (c.indkey::pg_catalog.int2[])
    WHERE c.contype IN ('p', 'u') AND NOT c.period AND a.sorts AND NOT a.is_unique AND NOT a.varies
      AND (c.contype = 'u' OR a.attnotnull)
      AND (pg_catalog.cardinality(c.conkey) > 1
           OR NOT EXISTS (SELECT FROM columns AS k
                          WHERE k.attrelid = c.conrelid AND k.attnum = c.conkey[1] AND k.drawn))
      AND NOT EXISTS (SELECT FROM uniques AS u
                      WHERE u.indrelid = c.conrelid AND u.conindid <> c.conindid AND u.columns <@ c.conkey)
    ORDER BY c.oid, a.attnum < c.conkey[pg_catalog.cardinality(c.conkey)], a.attnum
), keys AS ( -- UNIQUE and PRIMARY KEY, without one of their columns, with another one in its place, or with one more
    SELECT c.*, CASE c.contype WHEN 'p' THEN 'primary-key' ELSE 'unique' END || v.change AS operator,
           pg_catalog.format(
               '%s%s (%s)%s%s', CASE c.contype WHEN 'p' THEN 'PRIMARY KEY' ELSE 'UNIQUE' END,
               CASE WHEN c.nulls_equal THEN ' NULLS NOT DISTINCT' END,
               (SELECT pg_catalog.string_agg(
                           CASE WHEN k.number = less.attnum THEN v.instead
                                WHEN c.period AND k.n = c.indnkeyatts THEN a.name || ' WITHOUT OVERLAPS' ELSE a.name END,
                           ', ' ORDER BY k.n)
                FROM pg_catalog.unnest(c.conkey) WITH ORDINALITY AS k (number, n)
                JOIN columns AS a ON a.attrelid = c.conrelid AND a.attnum = k.number),
               (SELECT ' INCLUDE (' || pg_catalog.string_agg(a.name, ', ' ORDER BY k.n) || ')'
                FROM pg_catalog.unnest(c.indkey::pg_catalog.int2[]) WITH ORDINALITY AS k (number, n)
                JOIN columns AS a ON a.attrelid = c.conrelid AND a.attnum = k.number
                WHERE k.n > c.indnkeyatts),
               c.deferral) AS definition
    FROM constraints AS c
    JOIN columns AS less ON less.attrelid = c.conrelid AND less.attnum = ANY (c.conkey)
    CROSS JOIN LATERAL (
        SELECT '-without-column' AS change, NULL AS instead
        WHERE c.indnkeyatts > 1 AND NOT (c.period AND c.indnkeyatts = 2 AND less.attnum = c.conkey[1])
          AND NOT less.of_partition_key
        UNION ALL
        SELECT '-other-column', n.name
        FROM neighbours AS n
        WHERE n.attrelid = c.conrelid AND n.attnum = less.attnum AND n.other <> ALL (c.conkey) AND NOT c.period
          AND (c.contype = 'u' OR c.indnkeyatts > 1 AND n.attnotnull) AND NOT less.of_partition_key
        UNION ALL
        SELECT '-with-column', less.name || ', ' || n.name
        FROM additions AS n
        WHERE n.oid = c.oid AND less.attnum = c.conkey[pg_catalog.cardinality(c.conkey)]
    ) AS v
    WHERE c.contype IN ('p', 'u')
), nulls AS ( -- UNIQUE where NULLs are equal, or are not
    SELECT c.*, CASE WHEN c.nulls_equal THEN 'nulls-distinct' ELSE 'nulls-not-distinct' END AS operator,
           CASE WHEN c.nulls_equal THEN pg_catalog.regexp_replace(c.exact, '^UNIQUE NULLS NOT DISTINCT', 'UNIQUE')
                ELSE pg_catalog.regexp_replace(c.exact, '^UNIQUE', 'UNIQUE NULLS NOT DISTINCT') END AS definition
    FROM constraints AS c
    WHERE c.contype = 'u' AND NOT c.period AND pg_catalog.current_setting('server_version_num')::pg_catalog.int4 >= 150000
      AND EXISTS (SELECT FROM columns AS a
                  WHERE a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey) AND NOT a.attnotnull)
      AND c.conindid NOT IN (SELECT conindid FROM doubled)
), elements AS ( -- of EXCLUDE
    SELECT c.oid, k.n, pg_catalog.format(
               '%s%s WITH %s', pg_catalog.pg_get_indexdef(c.conindid, k.n::pg_catalog.int4, false),
               CASE WHEN NOT l.opcdefault THEN pg_catalog.format(' %I.%I', ln.nspname, l.opcname) END,
               CASE WHEN opn.nspname = 'pg_catalog' THEN o.oprname::pg_catalog.text
                    ELSE pg_catalog.format('OPERATOR(%I.%s)', opn.nspname, o.oprname) END) AS element
    FROM constraints AS c
    CROSS JOIN pg_catalog.unnest(c.conexclop) WITH ORDINALITY AS k (operator, n)
    JOIN pg_catalog.pg_operator AS o ON o.oid = k.operator
    JOIN pg_catalog.pg_namespace AS opn ON opn.oid = o.oprnamespace
    JOIN pg_catalog.pg_opclass AS l ON l.oid = c.indclass[k.n - 1]
    JOIN pg_catalog.pg_namespace AS ln ON ln.oid = l.opcnamespace
    WHERE c.contype = 'x'
), exclusions AS (
    SELECT c.*, less.operator, pg_catalog.format(
               'EXCLUDE USING %I (%s)%s%s%s', m.amname,
               (SELECT pg_catalog.string_agg(e.element, ', ' ORDER BY e.n) FROM elements AS e
                WHERE e.oid = c.oid AND e.n <> less.n),
               (SELECT ' INCLUDE (' || pg_catalog.string_agg(a.name, ', ' ORDER BY k.n) || ')'
                FROM pg_catalog.unnest(c.indkey::pg_catalog.int2[]) WITH ORDINALITY AS k (number, n)
                JOIN columns AS a ON a.attrelid = c.conrelid AND a.attnum = k.number
                WHERE k.n > c.indnkeyatts),
               CASE WHEN less.n > 0 THEN ' WHERE (' || c.predicate || ')' END, c.deferral) AS definition
    FROM constraints AS c
    JOIN pg_catalog.pg_class AS x ON x.oid = c.conindid
    JOIN pg_catalog.pg_am AS m ON m.oid = x.relam
    CROSS JOIN LATERAL (
        SELECT 'exclude-without-element' AS operator, k.n FROM pg_catalog.generate_series(1, c.indnkeyatts) AS k (n)
        WHERE c.indnkeyatts > 1
        UNION ALL
        SELECT 'exclude-without-predicate', 0 WHERE c.predicate IS NOT NULL
    ) AS less
    WHERE c.contype = 'x'
      -- A collation of the index's own is not in the element's text.
      AND NOT EXISTS (SELECT FROM pg_catalog.unnest(c.indcollation::pg_catalog.oid[]) AS l (oid)
                      WHERE l.oid NOT IN (0, 'pg_catalog."default"'::pg_catalog.regcollation))
), references_to AS ( -- foreign keys and what their definition is made of
    SELECT c.*,
           pg_catalog.format(
               'FOREIGN KEY (%s) REFERENCES %s(%s)%s',
               (SELECT pg_catalog.string_agg(a.name, ', ' ORDER BY k.n)
                FROM pg_catalog.unnest(c.conkey) WITH ORDINALITY AS k (number, n)
                JOIN columns AS a ON a.attrelid = c.conrelid AND a.attnum = k.number),
               pg_catalog.format('%I.%I', n.nspname, r.relname),
               (SELECT pg_catalog.string_agg(pg_catalog.quote_ident(a.attname), ', ' ORDER BY k.n)
                FROM pg_catalog.unnest(c.confkey) WITH ORDINALITY AS k (number, n)
                JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.confrelid AND a.attnum = k.number),
               CASE c.confmatchtype WHEN 'f' THEN ' MATCH FULL' END) AS head,
           (SELECT ' (' || pg_catalog.string_agg(a.name, ', ' ORDER BY k.n) || ')'
            FROM pg_catalog.jsonb_array_elements_text(
                     NULLIF(pg_catalog.to_jsonb(c) -> 'confdelsetcols', 'null')) WITH ORDINALITY AS k (number, n)
            JOIN columns AS a ON a.attrelid = c.conrelid AND a.attnum = k.number::pg_catalog.int2) AS set_columns,
           c.deferral || CASE WHEN c.convalidated THEN '' ELSE ' NOT VALID' END AS tail,
           EXISTS (SELECT FROM columns AS a
                   WHERE a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey) AND a.attnotnull) AS never_null,
           EXISTS (SELECT FROM columns AS a
                   WHERE a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey) AND a.generated) AS generated,
           EXISTS (SELECT FROM pg_catalog.pg_attribute AS a
                   WHERE a.attrelid = c.confrelid AND a.attnum = ANY (c.confkey)
                     AND (a.atthasdef OR a.attidentity <> '')) AS drawn
    FROM constraints AS c
    JOIN pg_catalog.pg_class AS r ON r.oid = c.confrelid
    JOIN pg_catalog.pg_namespace AS n ON n.oid = r.relnamespace
    WHERE c.contype = 'f' AND c.enforced AND NOT c.period
), targets AS ( -- that a foreign key of one column can refer to
    SELECT p.conrelid, t.sql, t.name AS relation, a.name, a.atttypid
    FROM pg_catalog.pg_constraint AS p
    JOIN tables AS t ON t.oid = p.conrelid
    JOIN columns AS a ON a.attrelid = p.conrelid AND a.attnum = p.conkey[1]
    WHERE p.contype = 'p' AND pg_catalog.cardinality(p.conkey) = 1 AND NOT t.relispartition
), shorter AS ( -- foreign keys of several columns without one of them, where the others are a key, too
    SELECT f.oid, pg_catalog.format(
               'FOREIGN KEY (%s) REFERENCES %I.%I(%s)%s', pair.columns, n.nspname, r.relname, pair.others,
               CASE WHEN f.confmatchtype = 'f' AND pair.count > 1 THEN ' MATCH FULL' END) AS head
    FROM references_to AS f
    JOIN pg_catalog.pg_class AS r ON r.oid = f.confrelid
    JOIN pg_catalog.pg_namespace AS n ON n.oid = r.relnamespace
    CROSS JOIN pg_catalog.generate_subscripts(f.conkey, 1) AS less (n)
    CROSS JOIN LATERAL (
        SELECT pg_catalog.string_agg(a.name, ', ' ORDER BY k.n) AS columns,
               pg_catalog.string_agg(pg_catalog.quote_ident(o.attname), ', ' ORDER BY k.n) AS others,
               pg_catalog.array_agg(o.attnum ORDER BY o.attnum) AS numbers, pg_catalog.count(*) AS count
        FROM ROWS FROM (pg_catalog.unnest(f.conkey), pg_catalog.unnest(f.confkey)) WITH ORDINALITY AS k (number, other, n)
        JOIN columns AS a ON a.attrelid = f.conrelid AND a.attnum = k.number
        JOIN pg_catalog.pg_attribute AS o ON o.attrelid = f.confrelid AND o.attnum = k.other
        WHERE k.n <> less.n
    ) AS pair
    WHERE EXISTS (SELECT FROM uniques AS u WHERE u.indrelid = f.confrelid AND u.columns = pair.numbers)
), exchanged AS ( -- foreign keys of another column, or a column less, or to another table, or with another MATCH
    SELECT f.*, v.operator, v.head || pg_catalog.substr(f.exact, pg_catalog.length(f.head) + 1) AS definition,
           CASE WHEN f.convalidated AND t.relkind = 'r' THEN ' NOT VALID' ELSE '' END AS unchecked
    FROM references_to AS f
    JOIN tables AS t ON t.oid = f.conrelid
    JOIN columns AS a ON a.attrelid = f.conrelid AND a.attnum = f.conkey[1]
    CROSS JOIN LATERAL (
        SELECT 'foreign-key-other-column' AS operator,
               pg_catalog.regexp_replace(f.head, '^FOREIGN KEY \((?:[^"()]|"(?:[^"]|"")*")*\)',
                                         pg_catalog.format('FOREIGN KEY (%s)', n.name)) AS head
        FROM neighbours AS n
        WHERE n.attrelid = f.conrelid AND n.attnum = a.attnum AND pg_catalog.cardinality(f.conkey) = 1
        UNION ALL
        SELECT 'foreign-key-without-column', s.head
        FROM shorter AS s
        WHERE s.oid = f.oid
        UNION ALL
        SELECT CASE f.confmatchtype WHEN 'f' THEN 'match-simple' ELSE 'match-full' END,
               CASE f.confmatchtype WHEN 'f' THEN pg_catalog.left(f.head, - pg_catalog.length(' MATCH FULL'))
                                    ELSE f.head || ' MATCH FULL' END
        WHERE pg_catalog.cardinality(f.conkey) > 1
          AND EXISTS (SELECT FROM columns AS k
                      WHERE k.attrelid = f.conrelid AND k.attnum = ANY (f.conkey) AND NOT k.attnotnull)
        UNION ALL
        (SELECT 'foreign-key-other-table',
                pg_catalog.format('FOREIGN KEY (%s) REFERENCES %s(%s)%s', a.name, g.sql, g.name,
                                  CASE f.confmatchtype WHEN 'f' THEN ' MATCH FULL' END)
         FROM targets AS g
         WHERE g.atttypid = a.atttypid AND g.conrelid NOT IN (f.conrelid, f.confrelid)
           AND pg_catalog.cardinality(f.conkey) = 1
         ORDER BY g.relation < (SELECT r.name FROM tables AS r WHERE r.oid = f.confrelid), g.relation COLLATE "C"
         LIMIT 1)
    ) AS v
    WHERE f.set_columns IS NULL
), actions (code, name) AS (
    VALUES ('a'::"char", 'no-action'), ('r', 'restrict'), ('c', 'cascade'), ('n', 'set-null'), ('d', 'set-default')
), changed_actions AS (
    SELECT f.*, e.event || '-' || a.name AS operator, pg_catalog.format(
               '%s%s%s%s', f.head,
               (SELECT ' ON UPDATE ' || pg_catalog.upper(pg_catalog.replace(u.name, '-', ' ')) FROM actions AS u
                WHERE u.code = CASE WHEN e.event = 'on-update' THEN a.code ELSE f.confupdtype END AND u.code <> 'a'),
               (SELECT ' ON DELETE ' || pg_catalog.upper(pg_catalog.replace(d.name, '-', ' '))
                       || CASE WHEN e.event = 'on-update' THEN coalesce(f.set_columns, '') ELSE '' END
                FROM actions AS d
                WHERE d.code = CASE WHEN e.event = 'on-delete' THEN a.code ELSE f.confdeltype END AND d.code <> 'a'),
               f.tail) AS definition
    FROM references_to AS f
    CROSS JOIN LATERAL (VALUES ('on-delete', f.confdeltype), ('on-update', f.confupdtype)) AS e (event, today)
    JOIN actions AS a ON a.code <> e.today
    WHERE CASE a.code
              WHEN 'a' THEN e.today <> 'r'
              WHEN 'c' THEN NOT (f.generated AND e.event = 'on-update')
              WHEN 'n' THEN NOT (f.never_null OR f.generated)
              ELSE false
          END
      AND (e.event = 'on-delete' OR e.today <> 'a' OR NOT f.drawn AND a.code = 'c')
), deferrals AS (
    SELECT c.*, d.operator, pg_catalog.regexp_replace(c.exact, pattern.suffix, '') || d.clause AS definition,
           pg_catalog.regexp_replace(c.shown, pattern.suffix, '') || d.clause AS shown_after,
           CASE WHEN d.clause = '' THEN ' NOT DEFERRABLE' WHEN d.clause = ' DEFERRABLE' THEN ' DEFERRABLE INITIALLY IMMEDIATE'
                ELSE d.clause END AS clause
    FROM constraints AS c
    CROSS JOIN (VALUES (' DEFERRABLE( INITIALLY DEFERRED)?(?= NOT VALID$|$)')) AS pattern (suffix)
    JOIN (VALUES ('deferrable', false, false, ' DEFERRABLE INITIALLY DEFERRED'),
                 ('not-deferrable', true, false, ''), ('not-deferrable', true, true, ''),
                 ('initially-deferred', true, false, ' DEFERRABLE INITIALLY DEFERRED'),
                 ('initially-immediate', true, true, ' DEFERRABLE')) AS d (operator, can_be, is_at_first, clause)
      ON d.can_be = c.condeferrable AND d.is_at_first = c.condeferred
    WHERE c.contype <> 'c' AND c.enforced AND NOT c.period AND c.convalidated
      AND (c.condeferrable OR c.contype <> 'p' OR NOT EXISTS (
               SELECT FROM pg_catalog.pg_attribute AS a
               WHERE a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey) AND (a.atthasdef OR a.attidentity <> '')))
), found (operator, kind, object, relation, was, becomes, ddl, equivalent) AS (
    SELECT CASE c.contype WHEN 'c' THEN 'drop-check' WHEN 'f' THEN 'drop-foreign-key' WHEN 'p' THEN 'drop-primary-key'
                          WHEN 'u' THEN 'drop-unique' ELSE 'drop-exclude' END,
           'constraint', c.object, c.relation, c.shown, '', c.drop,
           CASE WHEN NOT c.enforced THEN 'it is not enforced'
                WHEN c.contype = 'u' AND c.conindid IN (SELECT conindid FROM doubled)
                THEN 'another key has the same columns'
           END
    FROM constraints AS c
    UNION ALL
    SELECT k.operator, 'constraint', k.object, k.relation, k.shown, k.definition,
           pg_catalog.format('%s, ADD CONSTRAINT %I %s', k.drop, k.conname, k.definition), NULL
    FROM keys AS k
    UNION ALL
    SELECT n.operator, 'constraint', n.object, n.relation, n.shown, n.definition,
           pg_catalog.format('%s, ADD CONSTRAINT %I %s', n.drop, n.conname, n.definition), NULL
    FROM nulls AS n
    UNION ALL
    SELECT x.operator, 'constraint', x.object, x.relation, x.shown, x.definition,
           pg_catalog.format('%s, ADD CONSTRAINT %I %s', x.drop, x.conname, x.definition), NULL
    FROM exclusions AS x
    UNION ALL
    SELECT f.operator, 'constraint', f.object, f.relation, f.shown, f.definition,
           pg_catalog.format('%s, ADD CONSTRAINT %I %s', f.drop, f.conname, f.definition), NULL
    FROM changed_actions AS f
    UNION ALL
    SELECT f.operator, 'constraint', f.object, f.relation, f.shown, f.definition,
           pg_catalog.format('%s, ADD CONSTRAINT %I %s%s', f.drop, f.conname, f.definition, f.unchecked), NULL
    FROM exchanged AS f
    UNION ALL
    SELECT 'add-unique', 'column', t.name || '.' || a.name, t.name, '', 'UNIQUE',
           pg_catalog.format('ALTER TABLE %s ADD UNIQUE (%s)', t.sql, a.name), NULL
    FROM columns AS a
    JOIN tables AS t ON t.oid = a.attrelid
    WHERE t.relkind = 'r' AND NOT t.relispartition
      AND EXISTS (SELECT FROM pg_catalog.pg_constraint AS c
                  WHERE c.conrelid = a.attrelid AND a.attnum = ANY (c.conkey)
                    AND c.contype IN ('f', 'p', 'u'))
      AND NOT EXISTS (SELECT FROM pg_catalog.pg_index AS i
                      WHERE i.indrelid = a.attrelid AND i.indisunique AND i.indnkeyatts = 1 AND i.indkey[0] = a.attnum)
    UNION ALL
    SELECT 'add-not-null', 'column', t.name || '.' || a.name, t.name, '', 'NOT NULL',
           pg_catalog.format('ALTER TABLE %s ALTER COLUMN %s SET NOT NULL', t.sql, a.name), NULL
    FROM columns AS a
    JOIN tables AS t ON t.oid = a.attrelid
    WHERE NOT a.attnotnull AND a.attinhcount = 0 AND a.atttypid NOT IN (SELECT d.oid FROM domains AS d WHERE d.typnotnull)
    UNION ALL
    SELECT d.operator, 'constraint', d.object, d.relation, d.shown, d.shown_after,
           CASE WHEN d.contype = 'f'
                THEN pg_catalog.format('ALTER TABLE %s ALTER CONSTRAINT %I%s', d.sql, d.conname, d.clause)
                ELSE pg_catalog.format('%s, ADD CONSTRAINT %I %s', d.drop, d.conname, d.definition) END,
           CASE WHEN d.contype = 'u' AND d.conindid IN (SELECT conindid FROM doubled)
                THEN 'another key has the same columns' END
    FROM deferrals AS d
    UNION ALL
    SELECT 'drop-not-null', 'column', t.name || '.' || a.name, t.name, 'NOT NULL', '',
           pg_catalog.format('ALTER TABLE %s ALTER COLUMN %s DROP NOT NULL', t.sql, a.name),
           CASE WHEN a.of_primary_key THEN 'a column of the primary key' END
    FROM columns AS a
    JOIN tables AS t ON t.oid = a.attrelid
    WHERE a.attnotnull AND NOT a.inherited
      AND (a.of_primary_key OR NOT (a.attidentity <> '' OR a.of_identity))
    UNION ALL
    SELECT 'drop-check', 'constraint', d.name || '.' || pg_catalog.quote_ident(c.conname), d.name,
           pg_catalog.pg_get_constraintdef(c.oid, true), '',
           pg_catalog.format('ALTER DOMAIN %s DROP CONSTRAINT %I', d.sql, c.conname), NULL
    FROM domains AS d
    JOIN pg_catalog.pg_constraint AS c ON c.contypid = d.oid AND c.contype = 'c'
    UNION ALL
    SELECT 'drop-not-null', 'domain', d.name, d.name, 'NOT NULL', '',
           pg_catalog.format('ALTER DOMAIN %s DROP NOT NULL', d.sql), NULL
    FROM domains AS d
    WHERE d.typnotnull
)
SELECT operator::pg_catalog.text, kind::pg_catalog.text, object::pg_catalog.text, relation::pg_catalog.text,
       pg_catalog.regexp_replace(pg_catalog.regexp_replace(was, '\s*\n\s*', ' ', 'g'), '\mpublic\.', '', 'g') AS was,
       pg_catalog.regexp_replace(pg_catalog.regexp_replace(becomes, '\s*\n\s*', ' ', 'g'), '\mpublic\.', '', 'g') AS becomes,
       ddl::pg_catalog.text, equivalent::pg_catalog.text
FROM found
ORDER BY object COLLATE "C", operator COLLATE "C", becomes COLLATE "C"
