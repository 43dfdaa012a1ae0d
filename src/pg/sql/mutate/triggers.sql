-- Single faults in triggers, for `pgfsm mutate`. Left out:
--   * what a partition has from its parent;
--   * BEFORE made AFTER, or the reverse, of a trigger for each statement, where the order is all that changes, and of
--     one with transition tables or a constraint trigger, which must be AFTER;
--   * a trigger for each row with WHEN, or of a view, made one for each statement, and one of TRUNCATE made one for each
--     row: there is no such thing.
-- The server refuses some that the catalog does not tell: AFTER made BEFORE where WHEN has a generated column.
WITH tables AS (
    SELECT c.oid, c.relkind, c.relispartition, pg_catalog.format('%I.%I', n.nspname, c.relname) AS sql,
           CASE WHEN n.nspname = 'public' THEN pg_catalog.quote_ident(c.relname)
                ELSE pg_catalog.format('%I.%I', n.nspname, c.relname) END AS name,
           EXISTS (SELECT FROM pg_catalog.pg_inherits AS h WHERE h.inhrelid = c.oid) AS is_child
    FROM pg_catalog.pg_class AS c
    JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'v') AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
), triggers AS ( -- and what their definitions are made of
    SELECT t.oid, t.tgrelid, t.tgname, t.tgtype, t.tgenabled, t.tgdeferrable, t.tginitdeferred,
           t.tgqual IS NOT NULL AS has_when,
           t.tgconstraint <> 0 AS is_constraint, r.relkind, r.is_child, r.sql, r.name AS relation,
           pg_catalog.quote_ident(t.tgname) || ' on ' || r.name AS object,
           pg_catalog.format('%I ON %s', t.tgname, r.sql) AS target,
           CASE WHEN t.tgtype & 2 > 0 THEN 'BEFORE' WHEN t.tgtype & 64 > 0 THEN 'INSTEAD OF' ELSE 'AFTER' END AS timing,
           t.tgtype & 1 > 0 AS for_row,
           t.tgattr::pg_catalog.int2[] AS of_columns,
           'UPDATE' || coalesce((SELECT ' OF ' || pg_catalog.string_agg(pg_catalog.quote_ident(a.attname), ', ' ORDER BY k.n)
                                 FROM pg_catalog.unnest(t.tgattr::pg_catalog.int2[]) WITH ORDINALITY AS k (number, n)
                                 JOIN pg_catalog.pg_attribute AS a ON a.attrelid = t.tgrelid AND a.attnum = k.number),
                                '') AS of_update,
           (SELECT ' FROM ' || pg_catalog.format('%I.%I', n.nspname, f.relname)
            FROM pg_catalog.pg_class AS f
            JOIN pg_catalog.pg_namespace AS n ON n.oid = f.relnamespace
            WHERE f.oid = t.tgconstrrelid) AS from_table,
           t.tgoldtable IS NOT NULL OR t.tgnewtable IS NOT NULL AS has_tables,
           CASE WHEN t.tgoldtable IS NOT NULL OR t.tgnewtable IS NOT NULL
                THEN ' REFERENCING' || coalesce(' OLD TABLE AS ' || pg_catalog.quote_ident(t.tgoldtable), '')
                     || coalesce(' NEW TABLE AS ' || pg_catalog.quote_ident(t.tgnewtable), '') END AS referencing,
           pg_catalog.pg_get_triggerdef(t.oid, true) AS definition
    FROM pg_catalog.pg_trigger AS t
    JOIN tables AS r ON r.oid = t.tgrelid
    WHERE NOT t.tgisinternal AND t.tgparentid = 0
      AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend AS d
                      WHERE d.deptype = 'e'
                        AND (d.classid = 'pg_catalog.pg_trigger'::pg_catalog.regclass AND d.objid = t.oid
                             OR d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objid = t.tgrelid))
), parts AS ( -- WHEN, of which the catalog gives no text of its own, and what is run
    SELECT t.*, p.condition, p.action
    FROM triggers AS t
    CROSS JOIN LATERAL (
        SELECT CASE WHEN t.has_when THEN m.part[1] END AS condition, m.part[2] AS action
        FROM pg_catalog.regexp_match(
            t.definition,
            CASE WHEN t.has_when THEN ' FOR EACH (?:ROW|STATEMENT) WHEN \((.*)\)' ELSE '()' END
            || ' (EXECUTE FUNCTION (?:"(?:[^"]|"")*"|[^"(])+\((?:''(?:[^'']|'''')*''(?:, )?)*\))$') AS m (part)
    ) AS p
), events AS (
    SELECT p.oid, e.bit, e.word
    FROM parts AS p
    CROSS JOIN LATERAL (VALUES (4, 'INSERT'), (8, 'DELETE'), (16, p.of_update), (32, 'TRUNCATE')) AS e (bit, word)
    WHERE p.tgtype & e.bit > 0
), changed AS (
    SELECT p.*, v.operator, v.new_timing, v.new_update, v.without, v.new_condition, v.new_for_row, v.new_deferrable,
           v.new_deferred
    FROM parts AS p
    CROSS JOIN LATERAL (
        SELECT '' AS operator, p.timing AS new_timing, p.of_update AS new_update, 0 AS without,
               p.condition AS new_condition, p.for_row AS new_for_row, p.tgdeferrable AS new_deferrable, p.tginitdeferred AS new_deferred
        UNION ALL
        SELECT CASE p.timing WHEN 'BEFORE' THEN 'trigger-after' ELSE 'trigger-before' END,
               CASE p.timing WHEN 'BEFORE' THEN 'AFTER' ELSE 'BEFORE' END, p.of_update, 0, p.condition, p.for_row,
               p.tgdeferrable, p.tginitdeferred
        WHERE p.for_row AND p.timing <> 'INSTEAD OF' AND NOT p.has_tables AND NOT p.is_constraint
        UNION ALL
        SELECT 'trigger-without-' || pg_catalog.lower(pg_catalog.split_part(e.word, ' ', 1)), p.timing, p.of_update, e.bit,
               p.condition, p.for_row, p.tgdeferrable, p.tginitdeferred
        FROM events AS e
        WHERE e.oid = p.oid AND (SELECT pg_catalog.count(*) FROM events AS o WHERE o.oid = p.oid) > 1
        UNION ALL
        SELECT 'trigger-of-any-column', p.timing, 'UPDATE', 0, p.condition, p.for_row, p.tgdeferrable, p.tginitdeferred
        WHERE p.of_update <> 'UPDATE'
        UNION ALL
        SELECT 'trigger-without-column', p.timing, o.clause, 0, p.condition, p.for_row, p.tgdeferrable, p.tginitdeferred
        FROM pg_catalog.unnest(p.of_columns) AS less (number)
        CROSS JOIN LATERAL (
            SELECT 'UPDATE OF ' || pg_catalog.string_agg(pg_catalog.quote_ident(a.attname), ', ' ORDER BY k.n) AS clause
            FROM pg_catalog.unnest(p.of_columns) WITH ORDINALITY AS k (number, n)
            JOIN pg_catalog.pg_attribute AS a ON a.attrelid = p.tgrelid AND a.attnum = k.number
            WHERE k.number <> less.number
        ) AS o
        WHERE pg_catalog.cardinality(p.of_columns) > 1
        UNION ALL
        SELECT 'trigger-without-when', p.timing, p.of_update, 0, NULL, p.for_row, p.tgdeferrable, p.tginitdeferred
        WHERE p.has_when
        UNION ALL
        SELECT 'trigger-when-not', p.timing, p.of_update, 0, 'NOT (' || p.condition || ')', p.for_row, p.tgdeferrable,
               p.tginitdeferred
        WHERE p.has_when
        UNION ALL
        SELECT CASE WHEN p.for_row THEN 'trigger-for-statement' ELSE 'trigger-for-row' END, p.timing, p.of_update, 0,
               p.condition, NOT p.for_row, p.tgdeferrable, p.tginitdeferred
        WHERE CASE WHEN p.for_row THEN NOT p.has_when AND NOT p.is_constraint AND p.timing <> 'INSTEAD OF'
                   ELSE p.tgtype & 32 = 0 AND p.relkind <> 'v'
                        AND NOT (p.has_tables AND (p.is_child OR p.relkind = 'p')) END
        UNION ALL
        SELECT CASE WHEN p.tgdeferrable THEN 'not-deferrable' ELSE 'deferrable' END, p.timing, p.of_update, 0,
               p.condition, p.for_row, NOT p.tgdeferrable, NOT p.tgdeferrable
        WHERE p.is_constraint
        UNION ALL
        SELECT CASE WHEN p.tginitdeferred THEN 'initially-immediate' ELSE 'initially-deferred' END, p.timing, p.of_update, 0,
               p.condition, p.for_row, true, NOT p.tginitdeferred
        WHERE p.tgdeferrable
    ) AS v
), definitions AS (
    SELECT c.*, pg_catalog.concat(
               'CREATE ', CASE WHEN c.is_constraint THEN 'CONSTRAINT ' END, 'TRIGGER ', pg_catalog.quote_ident(c.tgname), ' ',
               c.new_timing, ' ',
               (SELECT pg_catalog.string_agg(CASE e.bit WHEN 16 THEN c.new_update ELSE e.word END, ' OR ' ORDER BY e.bit)
                FROM events AS e
                WHERE e.oid = c.oid AND e.bit <> c.without),
               ' ON ', c.sql, c.from_table,
               CASE WHEN c.new_deferrable THEN ' DEFERRABLE' END, CASE WHEN c.new_deferred THEN ' INITIALLY DEFERRED' END,
               c.referencing, ' FOR EACH ', CASE WHEN c.new_for_row THEN 'ROW' ELSE 'STATEMENT' END,
               ' WHEN (' || c.new_condition || ')', ' ', c.action) AS new_definition
    FROM changed AS c
), found (operator, object, relation, was, becomes, ddl, equivalent) AS (
    SELECT CASE WHEN d.relkind = 'v' THEN 'drop-trigger' ELSE 'disable-trigger' END, d.object, d.relation, d.new_definition, '',
           CASE WHEN d.relkind = 'v' THEN 'DROP TRIGGER ' || d.target
                ELSE pg_catalog.format('ALTER TABLE %s DISABLE TRIGGER %I', d.sql, d.tgname) END,
           d.tgenabled
    FROM definitions AS d
    WHERE d.operator = ''
    UNION ALL
    SELECT d.operator, d.object, d.relation, b.new_definition, d.new_definition,
           pg_catalog.format('DROP TRIGGER %s; %s%s', d.target, d.new_definition,
                             CASE d.tgenabled WHEN 'A' THEN pg_catalog.format('; ALTER TABLE %s ENABLE ALWAYS TRIGGER %I', d.sql, d.tgname)
                             END),
           d.tgenabled
    FROM definitions AS d
    JOIN definitions AS b ON b.oid = d.oid AND b.operator = ''
    WHERE d.operator <> '' AND d.action IS NOT NULL
)
SELECT *
FROM (
    SELECT operator::pg_catalog.text, 'trigger'::pg_catalog.text AS kind, object::pg_catalog.text, relation::pg_catalog.text,
           pg_catalog.regexp_replace(pg_catalog.regexp_replace(was, '\s*\n\s*', ' ', 'g'),
                                     '\mpublic\.', '', 'g') AS was,
           pg_catalog.regexp_replace(pg_catalog.regexp_replace(becomes, '\s*\n\s*', ' ', 'g'),
                                     '\mpublic\.', '', 'g') AS becomes,
           ddl::pg_catalog.text,
           CASE equivalent WHEN 'D' THEN 'it is disabled' WHEN 'R' THEN 'it fires on a replica only' END::pg_catalog.text AS equivalent
    FROM found
) AS mutants
ORDER BY object COLLATE "C", operator COLLATE "C", becomes COLLATE "C"
