-- What a first machine has to know of the tables $1 ("users", "app.users"; none: all) and of those that they refer to, as
-- JSON. $2 are the names of errors; without any, nothing is said of functions, which takes most of the time. `exact` says of a constraint that the model can tell from JSON whether a row breaks it: all of its columns are
-- plain, and no trigger sets them. `fixed` says of a column that the model can't tell what another value would do.
-- `broken` is a query that finds rows which break a constraint.
WITH RECURSIVE own AS (
    SELECT c.oid, c.relname, c.relkind,
           CASE WHEN pg_catalog.pg_table_is_visible(c.oid) THEN c.relname
                ELSE n.nspname || '.' || c.relname END AS name,
           n.nspname || '.' || c.relname AS full_name,
           c.oid::pg_catalog.regclass::pg_catalog.text AS sql,
           -- Where others inherit from a table, its constraints hold for its own rows.
           CASE WHEN c.relkind = 'r' AND EXISTS (SELECT FROM pg_catalog.pg_inherits AS h WHERE h.inhparent = c.oid) THEN 'ONLY ' ELSE '' END
           || c.oid::pg_catalog.regclass::pg_catalog.text AS source,
           c.relnamespace, c.relowner, c.relacl, c.relrowsecurity,
           pg_catalog.format_type(c.reltype, NULL) AS type -- another name where a type of pg_catalog hides it: line
    FROM pg_catalog.pg_class AS c
    JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relpersistence <> 't'
      AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
      AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend AS d
                      WHERE d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objid = c.oid
                        AND d.deptype = 'e')
), parts (root, oid) AS ( -- each table with its partitions, which may have constraints and triggers of their own
    SELECT oid, oid FROM own
    UNION ALL
    SELECT p.root, h.inhrelid
    FROM parts AS p JOIN pg_catalog.pg_inherits AS h ON h.inhparent = p.oid
    JOIN pg_catalog.pg_class AS c ON c.oid = h.inhrelid AND c.relispartition
), numbers (relid, number, in_root) AS ( -- of their columns, there and in the table
    SELECT p.oid, a.attnum, r.attnum
    FROM parts AS p JOIN pg_catalog.pg_attribute AS a ON a.attrelid = p.oid AND a.attnum > 0 AND NOT a.attisdropped
    JOIN pg_catalog.pg_attribute AS r ON r.attrelid = p.root AND r.attname = a.attname
), standins AS ( -- schemas that hold what another program provides
    SELECT oid FROM pg_catalog.pg_namespace WHERE pg_catalog.obj_description(oid, 'pg_namespace') = 'stand-in'
), wanted AS (
    SELECT own.oid FROM own
    WHERE $1::pg_catalog.text[] = '{}' AND own.relnamespace NOT IN (SELECT oid FROM standins) OR own.name = ANY ($1::pg_catalog.text[])
       OR own.full_name = ANY ($1::pg_catalog.text[])
    UNION
    SELECT parent.root
    FROM wanted JOIN parts AS child ON child.root = wanted.oid
    JOIN pg_catalog.pg_constraint AS c ON c.conrelid = child.oid AND c.contype = 'f'
    JOIN parts AS parent ON parent.oid = c.confrelid
), tables AS (
    SELECT own.* FROM own WHERE oid IN (SELECT oid FROM wanted)
), based AS ( -- a type, and what it is based on as a domain
    SELECT t.oid, t.oid AS type FROM pg_catalog.pg_type AS t
    UNION
    SELECT b.oid, t.typbasetype FROM based AS b JOIN pg_catalog.pg_type AS t ON t.oid = b.type
    WHERE t.typtype = 'd'
), trigger_code AS ( -- without comments, which may name columns and tables
    SELECT r.root AS relid, t.oid, t.tgname AS name, t.tgfoid AS function, l.lanname AS language,
           t.tgtype, t.tgtype & 3 = 3 AS before_row, t.tgtype & 20 <> 0 AS of_new,
           -- Whether it fires for every row that it is about; for one that gets another value in a column of `of`, if there are any.
           (t.tgqual IS NULL OR pg_catalog.pg_get_triggerdef(t.oid) ~ ' WHEN \(\(?old\.\* IS DISTINCT FROM new\.\*\)?\) EXECUTE') AND t.tgenabled IN ('O', 'A') AND r.oid = r.root AS always,
           t.tgattr::pg_catalog.int2[] AS of, t.tgqual IS NULL AND t.tgattr::pg_catalog.text = '' AS unconditional,
           pg_catalog.regexp_replace(p.prosrc, '--[^\n]*|/\*.*?\*/', '', 'g') AS text,
           -- In C: it sets the column that its first argument names, and no other one.
           l.lanname IN ('c', 'internal') AND p.proname IN ('insert_username', 'moddatetime', 'tsvector_update_trigger', 'tsvector_update_trigger_column')
               AS sets_argument,
           pg_catalog.convert_from(pg_catalog.substr(t.tgargs, 1, pg_catalog.position(t.tgargs || '\000', '\000') - 1),
                                   pg_catalog.getdatabaseencoding()) AS argument,
           pg_catalog.string_to_array(pg_catalog.encode(t.tgargs, 'escape'), '\000') AS arguments
    FROM pg_catalog.pg_trigger AS t
    JOIN parts AS r ON r.oid = t.tgrelid
    JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    JOIN pg_catalog.pg_language AS l ON l.oid = p.prolang
    WHERE NOT t.tgisinternal AND t.tgenabled <> 'D' AND t.tgparentid = 0 AND r.root IN (SELECT oid FROM tables)
), events AS (
    SELECT DISTINCT t.relid, t.tgtype & 2 <> 0 AS before, e.event
    FROM trigger_code AS t
    JOIN (VALUES (4, 'insert'), (8, 'delete'), (16, 'update')) AS e (bit, event) ON t.tgtype & e.bit <> 0
    UNION
    SELECT r.ev_class, true, CASE r.ev_type WHEN '2' THEN 'update' WHEN '3' THEN 'insert' ELSE 'delete' END -- by rules
    FROM pg_catalog.pg_rewrite AS r WHERE r.ev_class IN (SELECT oid FROM tables)
), set_by_trigger (relid, name) AS ( -- '*': any column
    SELECT t.relid, t.argument FROM trigger_code AS t WHERE t.before_row AND t.of_new AND t.sets_argument
    UNION
    SELECT t.relid, pg_catalog.lower(coalesce(m[1], m[2])) -- where no statement begins, = compares
    FROM trigger_code AS t
    CROSS JOIN pg_catalog.regexp_matches(t.text, '\mnew\s*\.\s*"?(\w+)"?\s*:=|(?:;|>>|\m(?:begin|then|else|loop))\s*new\s*\.\s*"?(\w+)"?\s*=', 'gi') AS m
    WHERE t.before_row AND t.of_new
    UNION
    SELECT t.relid, '*' FROM trigger_code AS t
    WHERE t.before_row AND t.of_new AND NOT t.sets_argument
      AND (t.language <> 'plpgsql' OR t.text ~* '\mnew\s*:?=|\minto\s+(strict\s+)?new\M|\mreturn\s+(?!(new|old|null)\M|[\w.]+\(\s*new\M)\S')
    UNION -- RETURN populate_record(NEW, …), RETURN NEW #= …: what the text names, or an argument
    SELECT t.relid, pg_catalog.lower(a.attname)
    FROM trigger_code AS t JOIN pg_catalog.pg_attribute AS a ON a.attrelid = t.relid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE t.before_row AND t.of_new AND t.text ~* '\mreturn\s+([\w.]+\(\s*new\M|new\s*[^\s;])'
      AND (a.attname = ANY (t.arguments) OR pg_catalog.lower(t.text) ~ ('\m' || pg_catalog.regexp_replace(pg_catalog.lower(a.attname), '(\W)', '\\\1', 'g') || '\M'))
), straight AS ( -- triggers that do the same for every row: no branch decides about what is left of the text
    SELECT t.relid, t.oid, t.tgtype, t.of, t.unconditional, b.text
    FROM trigger_code AS t
    CROSS JOIN pg_catalog.regexp_replace(t.text, '\mif\M(?:(?!\m(?:if|return)\M|(?:;|\mthen|\melse)\s*new\s*\.\s*"?\w+"?\s*:?=|\minto\s+new\M).)*?\mend\s+if\s*;', '', 'gi') AS b (text)
    WHERE t.always AND t.language = 'plpgsql' AND t.tgtype & 1 = 1 AND b.text !~* '\mend\s+(if|case|loop)\M|\mexception\s+when\M'
      AND (SELECT pg_catalog.count(*) FROM pg_catalog.regexp_matches(b.text, '\mreturn\M', 'gi')) = 1
), overwritten (relid, trigger, of, name) AS ( -- columns that such a trigger sets, whatever an UPDATE gives them
    SELECT t.relid, t.oid, t.of, CASE m[1] WHEN '' THEN pg_catalog.lower(m[2]) ELSE m[2] END
    FROM straight AS t
    CROSS JOIN pg_catalog.regexp_replace(t.text, '\mreturn\s+new\s*;', '', 'gi') AS b (text)
    CROSS JOIN pg_catalog.regexp_matches(b.text, '(?:;|\mbegin)\s*new\s*\.\s*("?)(\w+)"?\s*:?=', 'gi') AS m
    WHERE t.tgtype & 18 = 18 AND b.text !~* '\mreturn\M|\mnew\M(?!\s*\.\s*"?\w)'
      AND (SELECT pg_catalog.count(*) FROM pg_catalog.regexp_matches(b.text, '\mnew\s*\.\s*"?' || m[2] || '\M', 'gi')) = 1
), columns AS (
    SELECT a.attrelid AS relid, a.attnum AS number, a.attname AS name, pg_catalog.quote_ident(a.attname) AS sql,
           a.atttypid AS type, a.attgenerated <> '' AS generated,
           pg_catalog.pg_get_expr(d.adbin, d.adrelid) AS value, -- generated, or the default
           a.attidentity <> '' OR coalesce(pg_catalog.pg_get_expr(d.adbin, d.adrelid) ~ '^nextval\(', false) AS counted,
           a.attnotnull OR n.by_type AS required, n.by_type, a.attidentity <> '' AS identity,
           EXISTS (SELECT FROM set_by_trigger AS s
                   WHERE s.relid = a.attrelid AND s.name IN ('*', pg_catalog.lower(a.attname))) AS triggered,
           EXISTS (SELECT FROM pg_catalog.pg_depend AS e JOIN pg_catalog.pg_sequence AS s ON s.seqrelid = e.objid
                   WHERE s.seqcycle AND e.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND e.refobjid = a.attrelid AND e.refobjsubid = a.attnum) AS cycles,
           t.typtype = 'e'
           OR t.typname IN ('bool', 'bytea', 'date', 'int2', 'int4', 'int8', 'name', 'numeric', 'time', 'timestamp', 'timestamptz', 'uuid')
           OR t.typname = 'interval' AND (m.modifier = -1 OR m.modifier >> 16 & 32767 = 32767) -- of all fields
           OR (t.typname IN ('text', 'varchar') OR t.typname = 'bpchar' AND a.atttypmod > 4) AND coalesce(l.collisdeterministic, true) AS plain,
           CASE WHEN t.typname = 'bpchar' THEN pg_catalog.to_jsonb(a.atttypmod - 4)
                WHEN t.typname IN ('bytea', 'interval', 'time', 'timestamp', 'timestamptz')
                 AND (EXISTS (SELECT FROM pg_catalog.pg_index AS i WHERE i.indrelid = a.attrelid AND i.indisunique AND a.attnum = ANY (i.indkey))
                      OR EXISTS (SELECT FROM pg_catalog.pg_constraint AS k WHERE k.contype = 'f' AND k.conrelid = a.attrelid AND a.attnum = ANY (k.conkey)))
                THEN pg_catalog.to_jsonb(pg_catalog.concat(t.typname, nullif(m.modifier, -1))) END AS form, -- how a drawn value is stored
           -- JSON of it is no list and no dict: hstore has a cast.
           t.typcategory NOT IN ('A', 'C') AND t.typname NOT IN ('json', 'jsonb')
           AND NOT EXISTS (SELECT FROM pg_catalog.pg_cast AS k WHERE k.castsource = t.oid AND k.casttarget = 'pg_catalog.json'::pg_catalog.regtype) AS scalar,
           t.typname AS base, t.typtype = 'e' AS enum, a.atttypid = t.oid AND a.atttypmod = -1 AS bare,
           EXISTS (SELECT FROM pg_catalog.pg_constraint AS k WHERE k.contype = 'c' AND k.conrelid = a.attrelid AND a.attnum = ANY (k.conkey))
           OR EXISTS (SELECT FROM based AS b JOIN pg_catalog.pg_constraint AS k ON k.contypid = b.type AND k.contype = 'c' WHERE b.oid = a.atttypid) AS checked
    FROM pg_catalog.pg_attribute AS a
    JOIN based AS b ON b.oid = a.atttypid
    JOIN pg_catalog.pg_type AS t ON t.oid = b.type AND t.typtype <> 'd'
    LEFT JOIN pg_catalog.pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    LEFT JOIN pg_catalog.pg_collation AS l ON l.oid = a.attcollation
    CROSS JOIN LATERAL (SELECT EXISTS (SELECT FROM based AS b JOIN pg_catalog.pg_type AS t ON t.oid = b.type
                                       WHERE b.oid = a.atttypid AND t.typnotnull)) AS n (by_type)
    CROSS JOIN LATERAL (SELECT pg_catalog.max(d.typtypmod) FROM (SELECT a.atttypmod AS typtypmod
                        UNION ALL SELECT y.typtypmod FROM based AS b JOIN pg_catalog.pg_type AS y ON y.oid = b.type AND y.typtype = 'd'
                                  WHERE b.oid = a.atttypid) AS d) AS m (modifier)
    WHERE a.attrelid IN (SELECT oid FROM tables) AND a.attnum > 0 AND NOT a.attisdropped
), plain AS (
    SELECT relid, number FROM columns WHERE plain AND NOT generated AND NOT triggered
), indexes AS (
    SELECT t.oid AS relid, i.indexrelid AS oid, x.relname AS name, i.indisprimary AND p.oid = p.root AS main, p.oid = p.root AS whole,
           CASE WHEN p.oid = p.root THEN t.source ELSE p.oid::pg_catalog.regclass::pg_catalog.text END AS source,
           ARRAY(SELECT coalesce(c.in_root, 0::pg_catalog.int2) FROM pg_catalog.unnest(i.indkey::pg_catalog.int2[]) WITH ORDINALITY AS u (k, n)
                 LEFT JOIN numbers AS c ON c.relid = p.oid AND c.number = u.k
                 WHERE n <= i.indnkeyatts ORDER BY n) AS keys,
           coalesce((pg_catalog.to_jsonb(i) ->> 'indnullsnotdistinct')::pg_catalog.bool, false) AS nulls_equal,
           pg_catalog.pg_get_expr(i.indpred, i.indrelid) AS condition,
           c.oid AS constraint, c.conexclop AS operators
    FROM pg_catalog.pg_index AS i
    JOIN parts AS p ON p.oid = i.indrelid
    JOIN tables AS t ON t.oid = p.root
    JOIN pg_catalog.pg_class AS x ON x.oid = i.indexrelid AND (p.oid = p.root OR NOT x.relispartition)
    LEFT JOIN pg_catalog.pg_constraint AS c ON c.conindid = i.indexrelid AND c.contype IN ('p', 'u', 'x')
    WHERE (i.indisunique OR i.indisexclusion) AND i.indisvalid
), index_facts AS (
    SELECT i.*, i.whole AND i.operators IS NULL AND i.condition IS NULL AND NOT i.nulls_equal
                AND NOT EXISTS (SELECT FROM pg_catalog.unnest(i.keys) AS k
                                WHERE NOT EXISTS (SELECT FROM plain AS p WHERE p.relid = i.relid AND p.number = k))
                -- A sequence that begins again gives numbers that are there already.
                AND NOT EXISTS (SELECT FROM columns AS c WHERE c.relid = i.relid AND c.number = ANY (i.keys) AND c.cycles) AS exact,
           ARRAY(SELECT c.name FROM columns AS c
                 WHERE c.relid = i.relid AND NOT c.generated AND c.number = ANY (i.keys || d.numbers)
                 ORDER BY c.number) AS touched,
           EXISTS (SELECT FROM columns AS c
                   WHERE c.relid = i.relid AND c.number = ANY (d.numbers) AND (c.generated OR c.triggered)) AS computed,
           ARRAY(SELECT pg_catalog.pg_get_indexdef(i.oid, n, true)
                 FROM pg_catalog.generate_subscripts(i.keys, 1) AS n ORDER BY n) AS terms
    FROM indexes AS i
    CROSS JOIN LATERAL (SELECT ARRAY(SELECT d.refobjsubid::pg_catalog.int2 FROM pg_catalog.pg_depend AS d -- columns in expressions, too
                                     WHERE d.classid IN ('pg_catalog.pg_class'::pg_catalog.regclass, 'pg_catalog.pg_constraint'::pg_catalog.regclass)
                                       AND d.objid IN (i.oid, i.constraint) AND d.refobjid = i.relid) AS numbers) AS d
), json_members (relid, number, name, type) AS ( -- that CHECKs and generated columns name in a JSON column, with their types if known; no name: the whole
    SELECT c.relid, c.number, m.name, pg_catalog.max(m.type)
    FROM columns AS c
    JOIN based AS b ON b.oid = c.type
    JOIN pg_catalog.pg_type AS y ON y.oid = b.type AND y.typname IN ('json', 'jsonb')
    CROSS JOIN LATERAL (
        SELECT m.name, m.type
        FROM pg_catalog.pg_constraint AS k
        CROSS JOIN pg_catalog.pg_get_expr(k.conbin, k.conrelid) AS e (text)
        CROSS JOIN LATERAL (
            SELECT w[1], NULL FROM pg_catalog.regexp_matches(e.text, '(?:->>?|\?)\s*''(\w+)''', 'g') AS w
            UNION ALL
            SELECT w[1], w[2]
            FROM pg_catalog.regexp_matches(e.text, 'jsonb?_typeof\(\(?"?\w+"? -> ''(\w+)''::text\)?\) = ''(\w+)''', 'g') AS w
            UNION ALL
            SELECT NULL, w[1] FROM pg_catalog.regexp_matches(e.text, 'jsonb?_typeof\("?\w+"?\) = ''(\w+)''', 'g') AS w
        ) AS m (name, type)
        WHERE k.conrelid = c.relid AND k.contype = 'c' AND k.conkey = ARRAY[c.number]
        UNION ALL
        SELECT w[1], CASE WHEN g.base = 'bool' THEN 'boolean' WHEN g.base IN ('int2', 'int4', 'int8', 'numeric') THEN 'number'
                          WHEN g.base IN ('date', 'timestamp', 'timestamptz') THEN 'date' WHEN g.base IN ('text', 'varchar') THEN 'string' END
        FROM columns AS g
        CROSS JOIN pg_catalog.regexp_matches(g.value, '(?:\(|\m)' || pg_catalog.regexp_replace(c.sql, '(\W)', '\\\1', 'g') || ' ->>? ''(\w+)''', 'g') AS w
        WHERE g.relid = c.relid AND g.generated
    ) AS m
    GROUP BY c.relid, c.number, m.name
), row_keys AS ( -- what a row is known by: the primary key, else what is unique and never NULL
    SELECT DISTINCT ON (i.relid) i.relid, i.keys
    FROM index_facts AS i
    WHERE i.whole AND i.operators IS NULL AND i.condition IS NULL
      AND NOT EXISTS (SELECT FROM pg_catalog.unnest(i.keys) AS k
                      WHERE NOT EXISTS (SELECT FROM columns AS c
                                        WHERE c.relid = i.relid AND c.number = k AND c.required AND c.scalar AND NOT c.generated
                                          AND NOT c.triggered))
    ORDER BY i.relid, i.main DESC, i.oid
), foreign_keys AS ( -- between tables; `whole`: none that stands on a partition, or refers to one
    SELECT f.oid, child.oid AS conrelid, parent.oid AS confrelid, f.conname AS name, f.confupdtype AS on_update, f.confdeltype AS on_delete,
           f.confmatchtype = 'f' AS full, w.whole, parent.name AS parent, coalesce((pg_catalog.to_jsonb(f) ->> 'conperiod')::pg_catalog.bool, false) AS period,
           CASE WHEN c.oid = c.root THEN child.source ELSE c.oid::pg_catalog.regclass::pg_catalog.text END AS child_sql,
           CASE WHEN p.oid = p.root THEN parent.source ELSE p.oid::pg_catalog.regclass::pg_catalog.text END AS parent_sql,
           ARRAY(SELECT n.in_root FROM pg_catalog.unnest(f.conkey) WITH ORDINALITY AS k (number, n)
                 JOIN numbers AS n ON n.relid = c.oid AND n.number = k.number ORDER BY k.n) AS conkey,
           ARRAY(SELECT n.in_root FROM pg_catalog.unnest(f.confkey) WITH ORDINALITY AS k (number, n)
                 JOIN numbers AS n ON n.relid = p.oid AND n.number = k.number ORDER BY k.n) AS confkey,
           CASE WHEN w.whole AND pg_catalog.jsonb_typeof(pg_catalog.to_jsonb(f) -> 'confdelsetcols') = 'array'
                THEN ARRAY(SELECT s::pg_catalog.text::pg_catalog.int2
                           FROM pg_catalog.jsonb_array_elements(pg_catalog.to_jsonb(f) -> 'confdelsetcols') AS s) END AS set_columns
    FROM pg_catalog.pg_constraint AS f
    JOIN parts AS c ON c.oid = f.conrelid JOIN tables AS child ON child.oid = c.root
    JOIN parts AS p ON p.oid = f.confrelid JOIN tables AS parent ON parent.oid = p.root
    CROSS JOIN LATERAL (SELECT c.oid = c.root AND p.oid = p.root AS whole) AS w
    WHERE f.contype = 'f' AND f.conparentid = 0 AND coalesce((pg_catalog.to_jsonb(f) ->> 'conenforced')::pg_catalog.bool, true) -- NOT ENFORCED: from PostgreSQL 18 on
), refs AS (
    SELECT f.oid, f.conrelid, f.confrelid, f.name, f.on_update, f.on_delete, f.full, f.conkey, f.confkey, f.child_sql, f.parent_sql, f.parent, f.period,
           coalesce(f.set_columns, f.conkey) AS changed, f.whole AND k.exact AS exact, k.names, k.parent_names
    FROM foreign_keys AS f
    JOIN (SELECT f.oid, pg_catalog.array_agg(c.name ORDER BY u.n) AS names, pg_catalog.array_agg(p.name ORDER BY u.n) AS parent_names,
                 pg_catalog.bool_and(c.plain AND NOT c.generated AND NOT c.triggered AND p.plain AND NOT p.generated AND NOT p.triggered
                                     AND c.form IS NOT DISTINCT FROM p.form) AS exact
          FROM foreign_keys AS f
          CROSS JOIN LATERAL ROWS FROM (pg_catalog.unnest(f.conkey), pg_catalog.unnest(f.confkey)) WITH ORDINALITY AS u (child, parent, n)
          JOIN columns AS c ON c.relid = f.conrelid AND c.number = u.child
          JOIN columns AS p ON p.relid = f.confrelid AND p.number = u.parent
          GROUP BY f.oid) AS k ON k.oid = f.oid
), defaults AS ( -- what ON DELETE SET DEFAULT writes, as JSON; no row where only the server can tell
    SELECT c.relid, c.number,
           CASE WHEN c.value IS NULL OR c.value ~ '^NULL(::|$)' THEN 'null'
                WHEN c.value ~ '^-?\d+$' THEN c.value
                WHEN c.value ~ '^''-?\d+''::(bigint|integer|smallint)$' THEN pg_catalog.split_part(c.value, '''', 2)
                ELSE pg_catalog.to_json(pg_catalog.split_part(c.value, '''', 2))::pg_catalog.text END AS json
    FROM columns AS c
    WHERE c.value IS NULL OR c.value ~ '^NULL(::|$)|^-?\d+$|^''[^'']*''::(?!interval)[a-z]+$'
), families (type, base, name, family) AS ( -- types of which one's values may stand for another's
    SELECT b.oid, y.oid, y.typname, CASE WHEN y.typname IN ('int2', 'int4', 'int8') THEN 'integer'
                                         WHEN y.typname IN ('text', 'varchar', 'bpchar', 'citext', 'name') THEN 'text'
                                         ELSE y.oid::pg_catalog.text END
    FROM based AS b JOIN pg_catalog.pg_type AS y ON y.oid = b.type WHERE y.typtype <> 'd'
), meant AS ( -- what an argument may stand for: a column, or the key that it refers to
    SELECT t.oid AS relid, c.number, t.relname, c.name AS column, f.family, c.plain, k.relid IS NOT NULL AND p.oid IS NULL AS own,
           k.relid IS NOT NULL OR p.oid IS NOT NULL AS key,
           EXISTS (SELECT FROM row_keys AS h WHERE h.relid = t.oid AND c.number = ANY (h.keys))
           OR EXISTS (SELECT FROM refs AS h WHERE h.conrelid = t.oid AND c.number = ANY (h.conkey)) AS part, coalesce(p.name, t.name) AS table, coalesce(r.parent_names[1], c.name) AS name,
           pg_catalog.regexp_replace(c.name, '_?(id|code|key|uuid|no|by)$', '') AS stem,
           '(^|_)' || CASE WHEN e.name ~ 'ies$' THEN pg_catalog.regexp_replace(e.name, 'ies$', '(ies|y)')
                           WHEN e.name ~ '(s|x|ch|sh)es$' THEN pg_catalog.regexp_replace(e.name, 'es$', '(es)?')
                           ELSE pg_catalog.regexp_replace(e.name, 's$', '') || 's?' END || '(_id|_' || pg_catalog.regexp_replace(c.name, '(\W)', '\\\1', 'g') || ')?$' AS pattern
    FROM tables AS t JOIN columns AS c ON c.relid = t.oid AND NOT c.generated
    JOIN families AS f ON f.type = c.type
    CROSS JOIN pg_catalog.regexp_replace(pg_catalog.lower(t.relname), '(\W)', '\\\1', 'g') AS e (name)
    LEFT JOIN row_keys AS k ON k.relid = t.oid AND k.keys = ARRAY[c.number]
    LEFT JOIN (refs AS r JOIN row_keys AS pk ON pk.relid = r.confrelid AND pk.keys = r.confkey JOIN tables AS p ON p.oid = r.confrelid)
      ON r.conrelid = t.oid AND r.conkey = ARRAY[c.number]
), actions AS ( -- what happens to rows when the one that they refer to goes or gets another key
    SELECT r.oid AS ref, r.exact, r.confrelid AS source, r.conrelid AS target, a.event, a.type, r.confkey AS keys, a.changed AS sets,
           a.event = 'delete' OR EXISTS (SELECT FROM columns AS c
                                         WHERE c.relid = r.confrelid AND c.number = ANY (r.confkey) AND NOT c.counted) AS may_happen,
           pg_catalog.bool_and(d.relid IS NOT NULL) AS known,
           CASE a.type WHEN 'c' THEN '"cascade"' WHEN 'r' THEN '"restrict"' WHEN 'a' THEN '"no action"'
                       ELSE pg_catalog.jsonb_object_agg(
                                c.name, CASE a.type WHEN 'd' THEN d.json::pg_catalog.jsonb ELSE 'null' END ORDER BY c.number) END AS what
    FROM refs AS r
    CROSS JOIN LATERAL (VALUES ('delete', r.on_delete, r.changed), ('update', r.on_update, r.conkey)) AS a (event, type, changed)
    JOIN columns AS c ON c.relid = r.conrelid AND c.number = ANY (a.changed)
    LEFT JOIN defaults AS d ON d.relid = c.relid AND d.number = c.number
    GROUP BY r.oid, r.exact, r.confrelid, r.conrelid, r.confkey, a.event, a.type, a.changed
), functions AS ( -- `alters`: it ends transactions or changes the schema; `writing`: its text without what EXECUTE only reads
    SELECT p.oid, p.proname AS name, p.prosecdef AS definer, p.proowner AS owner, s.text,
           pg_catalog.regexp_replace(s.text, '\mexecute\s+(format\s*\(\s*)?''\s*(select|create\s+sequence)\M([^''()%;]|%[IL]|\(\$\d+\)|\m(count|max|min|sum|coalesce|exists)\s*\([^''()%;]*\))*''\s*(?![\s|''])', '', 'gi') AS writing,
           s.text ~* '\m(commit|rollback|(alter|create|drop)\s+(or\s+replace\s+)?(table|view|index|type|schema|function|trigger|policy|role|sequence))\M' AS alters
    FROM pg_catalog.pg_proc AS p
    JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
    CROSS JOIN pg_catalog.regexp_replace(CASE p.prosrc WHEN '' THEN pg_catalog.pg_get_functiondef(p.oid) ELSE p.prosrc END,
                                         '--[^\n]*|/\*.*?\*/', '', 'g') AS s (text)
    WHERE $2::pg_catalog.text[] <> '{}' AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_' AND p.prokind IN ('f', 'p')
      AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend AS d
                      WHERE d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND d.objid = p.oid
                        AND d.deptype = 'e')
), named (caller, callee) AS MATERIALIZED ( -- by the last word of its name
    SELECT DISTINCT f.oid, g.oid
    FROM functions AS f
    CROSS JOIN pg_catalog.regexp_matches(f.text, '(\w+)\W?"?\s*\(', 'g') AS m
    JOIN functions AS g ON pg_catalog.lower(pg_catalog.substring(g.name, '(\w+)\W?$')) = pg_catalog.lower(m[1])
), calls (caller, callee) AS (
    SELECT f.oid, f.oid FROM functions AS f
    UNION
    SELECT c.caller, n.callee FROM calls AS c JOIN named AS n ON n.caller = c.callee
), lacks (function, word, maker) AS MATERIALIZED ( -- what is not there until a function that no rule calls has made it
    SELECT DISTINCT ON (c.caller) c.caller, m[2], a.name
    FROM functions AS a
    CROSS JOIN pg_catalog.regexp_matches(a.text, '\m(add|table|view|sequence|function|type|schema)\s+(?:column\s+)?(?:if\s+not\s+exists\s+)?(?:\w+\.)?"?(\w+)', 'gi') AS m
    CROSS JOIN pg_catalog.lower(m[2]) AS w (word)
    JOIN functions AS f ON NOT f.alters AND f.text ~* ('\m' || w.word || '\M')
    JOIN calls AS c ON c.callee = f.oid
    WHERE a.alters AND w.word NOT IN ('check', 'constraint', 'exclude', 'foreign', 'if', 'primary', 'unique', 'value')
      AND NOT EXISTS (SELECT FROM columns AS n WHERE n.name = w.word) AND NOT EXISTS (SELECT FROM functions AS n WHERE n.name = w.word)
      AND NOT EXISTS (SELECT FROM pg_catalog.pg_class AS n WHERE n.relname = w.word) AND NOT EXISTS (SELECT FROM pg_catalog.pg_type AS n WHERE n.typname = w.word)
      AND NOT EXISTS (SELECT FROM pg_catalog.pg_namespace AS n WHERE n.nspname = w.word)
    ORDER BY 1, 2, 3
), own_writes AS MATERIALIZED (
    SELECT f.oid AS function, t.oid AS relid, pg_catalog.bool_or(m[1] ~* '^(delete|truncate|exec)') AS deletes,
           pg_catalog.bool_or(m[1] ~* '^(into|exec)') AS adds, pg_catalog.bool_or(m[1] !~* '^into') AS takes
    FROM functions AS f
    CROSS JOIN (SELECT oid, relname FROM tables
                UNION
                SELECT d.refobjid, v.relname -- through a view
                FROM pg_catalog.pg_class AS v
                JOIN pg_catalog.pg_rewrite AS r ON r.ev_class = v.oid
                JOIN pg_catalog.pg_depend AS d ON d.objid = r.oid AND d.refobjid IN (SELECT oid FROM tables)
                WHERE v.relkind = 'v') AS t
    CROSS JOIN pg_catalog.regexp_matches(
        -- A SELECT that is put together but calls no function by a computed name only reads, too.
        f.writing, '\m(execute(?!\s*''\s*select\M(?:(?!''\s*\(|%)[^;])*;)|(?:into|update|delete\s+from|truncate|truncate\s+table)\s+(?:only\s+)?(?:\w+\.|"[^"]+"\.)?"?'
                || pg_catalog.regexp_replace(t.relname, '(\W)', '\\\1', 'g') || ')\M', 'gi') AS m
    WHERE pg_catalog.strpos(pg_catalog.lower(f.writing), pg_catalog.lower(t.relname)) > 0 OR f.writing ~* '\mexecute\M'
    GROUP BY f.oid, t.oid
), writes AS MATERIALIZED ( -- the tables that a function may write to, and whether it may delete from them: with EXECUTE, all
    SELECT c.caller AS function, w.relid, pg_catalog.bool_or(w.deletes) AS deletes, pg_catalog.bool_or(w.adds) AS adds, pg_catalog.bool_or(w.takes) AS takes
    FROM calls AS c JOIN own_writes AS w ON w.function = c.callee GROUP BY c.caller, w.relid
), growing (relid, trigger, event, name) AS MATERIALIZED ( -- tables to which triggers always add a row
    SELECT c.relid, c.oid, e.event, o.name
    FROM straight AS c
    JOIN (VALUES (4, 'insert'), (8, 'delete'), (16, 'update')) AS e (bit, event) ON c.tgtype & e.bit <> 0
    JOIN tables AS o ON o.oid <> c.relid AND c.text ~* ('\minsert\s+into\s+(?:\w+\.|"[^"]+"\.)?"?' || pg_catalog.regexp_replace(o.relname, '(\W)', '\\\1', 'g')
                                                         || '"?\s*(?:\([^()]*\)\s*)?values\s*\((?!.*\mon\s+conflict)')
    WHERE c.tgtype & 2 = 0 AND c.unconditional
      AND NOT EXISTS (SELECT FROM writes AS w WHERE w.relid = o.oid AND w.deletes)
      AND NOT EXISTS (SELECT FROM pg_catalog.pg_rewrite AS r WHERE r.ev_class IN (o.oid, c.relid))
      AND NOT EXISTS (SELECT FROM trigger_code AS b WHERE b.relid IN (o.oid, c.relid) AND b.before_row
                      AND (b.text ~* '\mreturn\s+null\M' OR b.language <> 'plpgsql' AND NOT b.sets_argument))
), edges (source, target, written, by_delete, deletes, keys, sets) AS MATERIALIZED (
    -- A write of `source`, only a delete, or only one of `keys`, changes `target`: the columns `sets`. NULL: any column.
    SELECT a.source, a.target, NOT a.exact, a.event = 'delete', a.event = 'delete' AND a.type = 'c',
           CASE a.event WHEN 'update' THEN a.keys END, CASE WHEN a.event = 'update' OR a.type <> 'c' THEN a.sets ELSE '{}' END
    FROM actions AS a WHERE a.type IN ('c', 'n', 'd') AND a.may_happen
    UNION
    SELECT t.relid, w.relid, true, false, w.deletes, NULL, NULL FROM trigger_code AS t JOIN writes AS w ON w.function = t.function
    UNION
    SELECT t.relid, t.relid, true, false, false, NULL, NULL FROM trigger_code AS t
    WHERE t.before_row AND (t.text ~* '\mreturn\s+null\M' OR t.language <> 'plpgsql' AND NOT t.sets_argument)
    UNION
    SELECT a.target, a.target, true, false, false, NULL, NULL FROM actions AS a WHERE a.type = 'd' AND NOT a.known
    UNION
    SELECT r.ev_class, t.oid, true, false, true, NULL, NULL FROM pg_catalog.pg_rewrite AS r CROSS JOIN tables AS t
    WHERE r.ev_class IN (SELECT oid FROM tables)
), reached (source, target, written, deletes, sets) AS ( -- what a change of `source` may change; `written`: how can't be told
    SELECT oid, oid, false, true, NULL::pg_catalog.int2[] FROM tables
    UNION
    SELECT r.source, e.target, r.written OR e.written, e.deletes, e.sets
    FROM reached AS r JOIN edges AS e ON e.source = r.target
    WHERE (r.deletes OR NOT e.by_delete) AND coalesce(e.keys && r.sets, true)
), reread (relid, names) AS MATERIALIZED ( -- tables to read again after a write
    SELECT r.source, pg_catalog.array_agg(DISTINCT w.name ORDER BY w.name)
    FROM reached AS r JOIN tables AS w ON w.oid = r.target
    WHERE r.written OR r.target = r.source AND r.source NOT IN (SELECT k.relid FROM row_keys AS k) -- a row read again would be one more
                       AND r.source IN (SELECT x.source FROM reached AS x WHERE x.written)
    GROUP BY r.source
), value_codes (pattern, code) AS ( -- errors that values decide about, and which are no data_exception, of texts that match
    SELECT v.pattern, c
    FROM (VALUES
        -- settings that are not set; names that are arguments, or made by EXECUTE
        ('\mcurrent_setting\(\s*''[^'']*''(::text)?\s*\)', '{undefined_object}'),
        ('\mcurrent_setting\(', '{data_exception}'),
        ('\m(set_config|current_setting)\(\s*[^'']', '{syntax_error_or_access_rule_violation,object_not_in_prerequisite_state,cant_change_runtime_param}'),
        ('\m(nextval|currval|setval|pg_\w*_size|has_\w+_privilege)\(\s*[^'']|\mexecute\M|\m(to_)?reg(class|type|proc|procedure|oper|operator|role|namespace|config|dictionary|collation)\M',
         '{syntax_error_or_access_rule_violation,invalid_schema_name,feature_not_supported}'),
        ('\mcurrval\(|\mlastval\(', '{object_not_in_prerequisite_state}'),
        -- texts of a syntax of their own
        ('\m(to_tsquery|tsquery|jsonpath|jsonb_path_\w+|ltree|text2ltree|lquery|ltxtquery|hstore|query_int|cube|seg)\M', '{syntax_error}'),
        ('\m(ltree|text2ltree|lquery|ltxtquery)\M', '{name_too_long}'),
        ('\mxpath\w*\(\s*[^'']', '{internal_error}'),
        -- what a query finds, where a function ends
        ('\(\s*select\M', '{cardinality_violation}'),
        ('\mend\s+(if|case|loop)\M', '{function_executed_no_return_statement}'),
        -- what may never end: the limit of a statement's time ends it
        ('\mwhile\s|(;|>>|\m(begin|then|else|loop))\s*loop\M|\mwith\s+recursive\M', '{query_canceled}')) AS v (pattern, codes)
    CROSS JOIN pg_catalog.unnest(v.codes::pg_catalog.text[]) AS c
), outside (name) AS MATERIALIZED ( -- functions of extensions, in C
    SELECT DISTINCT p.proname
    FROM pg_catalog.pg_proc AS p
    JOIN pg_catalog.pg_language AS l ON l.oid = p.prolang AND l.lanname = 'c'
    JOIN pg_catalog.pg_depend AS d ON d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND d.objid = p.oid AND d.deptype = 'e'
), own_raised (function, code) AS MATERIALIZED (
    SELECT f.oid, v.code FROM functions AS f JOIN value_codes AS v ON f.text ~* v.pattern
    UNION
    SELECT m.function, c.code FROM mentions AS m JOIN unusable AS u ON u.relid = m.relid
    CROSS JOIN (VALUES ('invalid_object_definition'), ('statement_too_complex')) AS c (code)
    UNION
    SELECT f.oid, CASE WHEN m[1] = ANY ($2::pg_catalog.text[]) OR m[1] ~ '^[0-9A-Z]{5}$' THEN m[1] ELSE 'undefined_object' END -- no error has that name
    FROM functions AS f
    CROSS JOIN pg_catalog.regexp_matches(f.text, '\merrcode\s*:?=\s*''(\w+)''', 'gi') AS m
    UNION
    SELECT f.oid, m[1]
    FROM functions AS f
    CROSS JOIN pg_catalog.regexp_matches(f.text, '\mraise\s+(?:exception\s+)?sqlstate\s+''(\w+)''', 'gi') AS m
    UNION
    SELECT f.oid, pg_catalog.lower(m[1])
    FROM functions AS f
    CROSS JOIN pg_catalog.regexp_matches(pg_catalog.regexp_replace(f.text, '''[^'']*''', '', 'g'),
                                         '\mraise\s+(?:exception\s+)?(\w+)\s*(?:;|\musing\M)', 'gi') AS m
    WHERE pg_catalog.lower(m[1]) NOT IN ('exception', 'sqlstate', 'using', 'warning', 'notice', 'info', 'log', 'debug')
    UNION
    SELECT f.oid, 'case_not_found' FROM functions AS f WHERE f.text ~* '\mcase\M'
    UNION
    SELECT f.oid, c.code -- of an extension's functions in C
    FROM functions AS f
    CROSS JOIN pg_catalog.regexp_matches(f.text, '(\w+)"?\s*\(', 'g') AS m
    JOIN outside AS o ON o.name = pg_catalog.lower(m[1])
    CROSS JOIN (VALUES ('external_routine_exception'), ('external_routine_invocation_exception')) AS c (code)
    UNION
    SELECT f.oid, c.code -- it names a table that is not there
    FROM functions AS f
    CROSS JOIN pg_catalog.regexp_matches(
        f.text, '\m(?:(?:from|join|into|update)\s+(?:only\s+)?((?:[a-z_]\w*|"[^"]+")\.(?:[a-z_]\w*|"[^"]+"))|(?:insert\s+into|delete\s+from)\s+((?:[a-z_]\w*|"[^"]+")))', 'gi') AS m
    CROSS JOIN (VALUES ('undefined_table'), ('invalid_schema_name')) AS c (code)
    WHERE pg_catalog.to_regclass(coalesce(m[1], m[2])) IS NULL
    UNION
    SELECT f.oid, 'invalid_schema_name' -- it calls a function of a schema that is not there
    FROM functions AS f
    CROSS JOIN pg_catalog.regexp_matches(f.text, '\m([a-z_]\w*)\.[a-z_]\w*\s*\(', 'gi') AS m
    WHERE pg_catalog.to_regnamespace(pg_catalog.lower(m[1])) IS NULL
), raised (function, code) AS ( -- errors that a function, or one that it calls, raises by name
    SELECT DISTINCT c.caller, r.code FROM calls AS c JOIN own_raised AS r ON r.function = c.callee
), raised_by_write (relid, code) AS ( -- by triggers, also of tables that they or foreign keys change
    SELECT DISTINCT r.source, e.code
    FROM reached AS r JOIN trigger_code AS t ON t.relid = r.target JOIN raised AS e ON e.function = t.function
    UNION
    SELECT r.source, 'triggered_data_change_violation' -- of the row that it was called for
    FROM reached AS r JOIN trigger_code AS t ON t.relid = r.target AND t.before_row JOIN writes AS w ON w.function = t.function AND w.takes
), expressions (relid, text, required) AS MATERIALIZED ( -- which the server evaluates when a row is written; `required`: for a column that is NOT NULL
    SELECT c.relid, c.value, c.required FROM columns AS c WHERE c.value !~ '^nextval\('
    UNION ALL
    SELECT p.root, pg_catalog.pg_get_expr(k.conbin, k.conrelid), false
    FROM pg_catalog.pg_constraint AS k JOIN parts AS p ON p.oid = k.conrelid WHERE k.contype = 'c'
    UNION ALL
    SELECT c.relid, pg_catalog.pg_get_expr(k.conbin, 0), false
    FROM columns AS c JOIN based AS b ON b.oid = c.type JOIN pg_catalog.pg_constraint AS k ON k.contypid = b.type AND k.contype = 'c'
    UNION ALL
    SELECT p.root, pg_catalog.pg_get_indexdef(i.indexrelid), false
    FROM pg_catalog.pg_index AS i JOIN parts AS p ON p.oid = i.indrelid WHERE i.indexprs IS NOT NULL OR i.indpred IS NOT NULL
), raised_by_value (relid, code) AS MATERIALIZED ( -- errors of these, and of functions that they call
    SELECT e.relid, v.code FROM expressions AS e JOIN value_codes AS v ON e.text ~* v.pattern
    UNION
    SELECT c.relid, x.code -- a column of an extension's type
    FROM columns AS c JOIN based AS b ON b.oid = c.type JOIN pg_catalog.pg_depend AS d
      ON d.classid = 'pg_catalog.pg_type'::pg_catalog.regclass AND d.objid = b.type AND d.deptype = 'e'
    CROSS JOIN (VALUES ('data_exception'), ('syntax_error'), ('internal_error')) AS x (code) -- the last is hstore's, up to PostgreSQL 15
    WHERE c.base <> 'citext' AND (x.code <> 'internal_error' OR c.base = 'hstore')
    UNION
    SELECT r.conrelid, 'data_exception' -- a key that is longer than what refers to it may be
    FROM refs AS r CROSS JOIN LATERAL ROWS FROM (pg_catalog.unnest(r.conkey), pg_catalog.unnest(r.confkey)) AS u (child, parent)
    JOIN pg_catalog.pg_attribute AS c ON c.attrelid = r.conrelid AND c.attnum = u.child AND c.atttypmod <> -1
    JOIN pg_catalog.pg_attribute AS p ON p.attrelid = r.confrelid AND p.attnum = u.parent AND p.atttypmod <> c.atttypmod
    UNION
    SELECT i.relid, 'check_violation' -- an empty range, WITHOUT OVERLAPS
    FROM indexes AS i JOIN pg_catalog.pg_index AS x ON x.indexrelid = i.oid AND x.indisunique AND x.indisexclusion
    UNION
    SELECT e.relid, 'not_null_violation' FROM expressions AS e WHERE e.required AND e.text ~* '\mcurrent_setting\('
    UNION
    SELECT e.relid, c.code
    FROM expressions AS e
    CROSS JOIN pg_catalog.regexp_matches(e.text, '(\w+)"?\s*\(', 'g') AS m
    JOIN outside AS o ON o.name = m[1]
    CROSS JOIN (VALUES ('external_routine_exception'), ('external_routine_invocation_exception')) AS c (code)
    UNION
    SELECT e.relid, x.code
    FROM expressions AS e
    CROSS JOIN pg_catalog.regexp_matches(e.text, '(\w+)\W?"?\s*\(', 'g') AS m
    JOIN functions AS f ON pg_catalog.lower(pg_catalog.substring(f.name, '(\w+)\W?$')) = pg_catalog.lower(m[1])
    CROSS JOIN LATERAL (SELECT r.code FROM raised AS r WHERE r.function = f.oid
                        UNION ALL SELECT 'data_exception' UNION ALL SELECT 'plpgsql_error'
                        UNION ALL SELECT 'not_null_violation' WHERE e.required) AS x (code)
), policies AS (
    SELECT p.oid, p.polname AS name, t.name AS of, p.polrelid AS relid, p.polcmd AS command, p.polpermissive AS permissive, p.polroles AS roles,
           pg_catalog.pg_get_expr(p.polqual, p.polrelid) AS old_row,
           pg_catalog.pg_get_expr(coalesce(p.polwithcheck, p.polqual), p.polrelid) AS new_row
    FROM pg_catalog.pg_policy AS p JOIN tables AS t ON t.oid = p.polrelid WHERE t.relrowsecurity
), actors (role, name, rank) AS MATERIALIZED ( -- who the policies are tested as: first the role that most of them are for, or that has most rights
    SELECT r.oid, r.rolname, pg_catalog.row_number() OVER (ORDER BY pg_catalog.sum(named.weight) DESC, r.rolname)
    FROM (SELECT pg_catalog.unnest(p.roles) AS role, 100 AS weight FROM policies AS p
          UNION ALL
          SELECT a.grantee, 1 FROM tables AS t, pg_catalog.aclexplode(t.relacl) AS a WHERE t.relrowsecurity) AS named
    JOIN pg_catalog.pg_roles AS r ON r.oid = named.role
    WHERE NOT r.rolsuper AND NOT r.rolbypassrls AND r.oid NOT IN (SELECT relowner FROM tables)
      AND EXISTS (SELECT FROM policies)
    GROUP BY r.oid, r.rolname ORDER BY 3 LIMIT 4
), actor (role, name) AS ( -- who functions are called as
    SELECT a.role, a.name FROM actors AS a WHERE a.rank = 1
), user_policies AS MATERIALIZED ( -- those that hold for such a user
    SELECT a.role, p.oid, p.name, p.of, p.relid, p.command IN ('*', 'r') AS reads, n.text AS nodes, pg_catalog.concat(p.old_row, ' ', p.new_row) AS text
    FROM policies AS p JOIN pg_catalog.pg_policy AS q ON q.oid = p.oid CROSS JOIN actors AS a
    CROSS JOIN pg_catalog.concat(q.polqual::pg_catalog.text, ' ', q.polwithcheck::pg_catalog.text) AS n (text)
    WHERE EXISTS (SELECT FROM pg_catalog.unnest(p.roles) AS r WHERE r = 0 OR pg_catalog.pg_has_role(a.role, r, 'MEMBER'))
), looks (role, policy, relid, target, reads) AS MATERIALIZED ( -- the tables that they read: a stored query names them by number
    SELECT p.role, p.oid, p.relid, t.oid, p.reads
    FROM user_policies AS p CROSS JOIN pg_catalog.regexp_matches(p.nodes, ':relid (\d+)', 'g') AS m
    JOIN tables AS t ON t.oid = m[1]::pg_catalog.oid AND t.relrowsecurity
    UNION
    SELECT p.role, p.oid, p.relid, m.relid, p.reads -- in functions that run as the user
    FROM user_policies AS p
    CROSS JOIN pg_catalog.regexp_matches(p.text, '(\w+)\W?"?\s*\(', 'g') AS w
    JOIN functions AS f ON NOT f.definer AND pg_catalog.lower(pg_catalog.substring(f.name, '(\w+)\W?$')) = pg_catalog.lower(w[1])
    JOIN calls AS c ON c.caller = f.oid JOIN functions AS g ON g.oid = c.callee AND NOT g.definer
    JOIN mentions AS m ON m.function = g.oid JOIN tables AS t ON t.oid = m.relid AND t.relrowsecurity
), looks_on (role, source, target) AS ( -- and what is read in turn, by policies for SELECT
    SELECT l.role, l.relid, l.target FROM looks AS l WHERE l.reads
    UNION
    SELECT o.role, o.source, l.target FROM looks_on AS o JOIN looks AS l ON l.role = o.role AND l.relid = o.target AND l.reads
), recursive_policies (role, oid, relid, reads) AS ( -- which lead back to their own table, where the server refuses to go round
    SELECT l.role, l.policy, l.relid, l.reads FROM looks AS l
    WHERE (l.target = l.relid OR (l.role, l.target, l.relid) IN (SELECT o.role, o.source, o.target FROM looks_on AS o))
      AND EXISTS (SELECT FROM user_policies AS p WHERE p.role = l.role AND p.relid = l.relid AND p.reads
                  AND (p.nodes ~ '\{SUBLINK' OR p.oid IN (SELECT k.policy FROM looks AS k)))
), unusable (role, relid) AS MATERIALIZED ( -- tables of which one of these policies is asked
    SELECT r.role, r.relid FROM recursive_policies AS r
    UNION
    SELECT l.role, l.relid FROM looks AS l JOIN recursive_policies AS r
      ON r.role = l.role AND r.reads AND (r.relid = l.target OR (l.role, l.target, r.relid) IN (SELECT o.role, o.source, o.target FROM looks_on AS o))
), missing (role, relid) AS MATERIALIZED ( -- tables where a role, other than the owner, may be refused something
    SELECT r.oid, t.oid FROM pg_catalog.pg_roles AS r JOIN tables AS t ON t.relowner <> r.oid
    WHERE NOT r.rolsuper AND (r.oid IN (SELECT a.role FROM actors AS a) OR r.oid IN (SELECT f.owner FROM functions AS f WHERE f.definer))
      AND (t.relrowsecurity OR NOT pg_catalog.has_schema_privilege(r.oid, t.relnamespace, 'USAGE')
           OR EXISTS (SELECT FROM pg_catalog.unnest('{SELECT,INSERT,UPDATE,DELETE}'::pg_catalog.text[]) AS k
                      WHERE NOT pg_catalog.has_table_privilege(r.oid, t.oid, k))
           OR EXISTS (SELECT FROM pg_catalog.pg_depend AS d JOIN pg_catalog.pg_class AS q ON q.oid = d.objid
                      WHERE d.refobjid = t.oid AND CASE q.relkind WHEN 'S' THEN NOT pg_catalog.has_sequence_privilege(r.oid, q.oid, 'USAGE') END))
), mentions (function, relid) AS MATERIALIZED (
    SELECT f.oid, t.oid FROM functions AS f
    JOIN tables AS t ON pg_catalog.strpos(pg_catalog.lower(f.text), pg_catalog.lower(t.relname)) > 0
                    AND f.text ~* ('\m' || pg_catalog.regexp_replace(t.relname, '(\W)', '\\\1', 'g') || '\M')
), own_denied (function, definer, inside) AS MATERIALIZED ( -- what may meet something that its user has no right to: a policy's row, a table; or itself
    SELECT DISTINCT f.oid, f.definer, i.inside
    FROM functions AS f
    CROSS JOIN LATERAL (SELECT a.role FROM actors AS a WHERE NOT f.definer UNION ALL SELECT f.owner WHERE f.definer) AS u (role)
    JOIN pg_catalog.pg_roles AS w ON w.oid = u.role AND NOT w.rolsuper
    CROSS JOIN LATERAL (SELECT f.text ~* '\mexecute\M' OR EXISTS (SELECT FROM mentions AS m JOIN missing AS x ON x.relid = m.relid
                                                                  WHERE m.function = f.oid AND x.role = u.role)) AS i (inside)
    WHERE i.inside OR NOT pg_catalog.has_function_privilege(u.role, f.oid, 'EXECUTE')
), denied (function) AS MATERIALIZED ( -- and what calls it
    SELECT DISTINCT c.caller
    FROM calls AS c
    JOIN own_denied AS d ON d.function = c.callee
    JOIN functions AS f ON f.oid = c.caller
    WHERE (d.definer OR NOT f.definer) AND (d.inside OR c.callee <> c.caller) -- rules call what they have a right to
), read_by (function, relid) AS MATERIALIZED ( -- tables that a function names, or one that it calls, as the user who calls it
    SELECT DISTINCT c.caller, m.relid
    FROM calls AS c JOIN functions AS f ON f.oid = c.caller AND NOT f.definer
    JOIN functions AS g ON g.oid = c.callee AND NOT g.definer JOIN mentions AS m ON m.function = g.oid
), rights (kind, name, role, does) AS ( -- what the roles may do, unless functions grant or revoke something
    SELECT k.kind, k.name, a.name, pg_catalog.string_agg(p.does, ' ' ORDER BY p.does COLLATE "C") FILTER (
               WHERE CASE k.kind WHEN 'function' THEN pg_catalog.has_function_privilege(a.role, k.oid, p.does)
                                 ELSE pg_catalog.has_table_privilege(a.role, k.oid, p.does)
                                   OR p.does <> 'DELETE' AND pg_catalog.has_any_column_privilege(a.role, k.oid, p.does) END)
    FROM actors AS a
    CROSS JOIN (SELECT 'table', t.oid, t.oid::pg_catalog.regclass::pg_catalog.text FROM tables AS t
                UNION ALL
                SELECT 'function', p.oid, p.oid::pg_catalog.regprocedure::pg_catalog.text
                FROM functions AS f JOIN pg_catalog.pg_proc AS p ON p.oid = f.oid
                WHERE $1::pg_catalog.text[] = '{}' AND p.proacl IS NOT NULL) AS k (kind, oid, name)
    JOIN (VALUES ('table', 'SELECT'), ('table', 'INSERT'), ('table', 'UPDATE'), ('table', 'DELETE'), ('function', 'EXECUTE')) AS p (kind, does) ON p.kind = k.kind
    WHERE NOT EXISTS (SELECT FROM functions AS f WHERE f.text ~* '\m(grant|revoke)\M')
    GROUP BY k.kind, k.oid, k.name, a.name
), applied AS ( -- the conditions of each command: what is permissive joined by OR, the rest by AND
    SELECT a.role, t.oid AS relid, c.command,
           pg_catalog.concat('(', coalesce(pg_catalog.string_agg(p.old_row, ' OR ' ORDER BY p.oid) FILTER (WHERE p.permissive), 'false'), ')',
                             pg_catalog.string_agg(' AND ' || p.old_row, '' ORDER BY p.oid) FILTER (WHERE NOT p.permissive)) AS old_row,
           pg_catalog.concat('(', coalesce(pg_catalog.string_agg(p.new_row, ' OR ' ORDER BY p.oid) FILTER (WHERE p.permissive), 'false'), ')',
                             pg_catalog.string_agg(' AND ' || p.new_row, '' ORDER BY p.oid) FILTER (WHERE NOT p.permissive)) AS new_row
    FROM tables AS t
    CROSS JOIN (VALUES ('r'::"char"), ('a'), ('w'), ('d')) AS c (command)
    CROSS JOIN actors AS a
    LEFT JOIN policies AS p
      ON p.relid = t.oid AND p.command IN ('*', c.command)
     AND EXISTS (SELECT FROM pg_catalog.unnest(p.roles) AS r WHERE r = 0 OR pg_catalog.pg_has_role(a.role, r, 'MEMBER'))
    WHERE t.relrowsecurity
    GROUP BY a.role, t.oid, c.command
), settings (name, word) AS ( -- that policies and functions look at, with what they are probably about
    SELECT DISTINCT m[1], pg_catalog.regexp_replace(pg_catalog.regexp_replace(m[1], '^.*\.', ''), '^current_|_id$', '', 'g')
    FROM (SELECT pg_catalog.concat(p.old_row, ' ', p.new_row) FROM policies AS p
          UNION ALL SELECT f.text FROM functions AS f) AS source (text),
         pg_catalog.regexp_matches(source.text, 'current_setting\(''([\w.]+)''', 'g') AS m
    WHERE m[1] ~ '\.' AND EXISTS (SELECT FROM policies)
), acting (setting, name) AS MATERIALIZED ( -- the table whose row a setting stands for
    SELECT s.name, (SELECT t.name FROM tables AS t JOIN row_keys AS k ON k.relid = t.oid AND pg_catalog.cardinality(k.keys) = 1
                    WHERE t.relname IN (s.word, s.word || 's', s.word || 'es')
                       OR s.word IN ('claims', 'sub', 'uid', 'user', 'user_id') AND t.relname ~ '^(app_|auth_)?(user|profile|account|member|person)s?$|^people$'
                    ORDER BY t.relname !~ 'user', t.oid LIMIT 1)
    FROM settings AS s
), nameless (setting, type, labels) AS MATERIALIZED ( -- of a setting that stands for no row: the type that it is cast to, and constants that it is compared with
    SELECT a.setting,
           (SELECT f.name
            FROM (SELECT pg_catalog.concat(p.old_row, ' ', p.new_row) AS text FROM policies AS p UNION ALL SELECT f.text FROM functions AS f) AS o
            CROSS JOIN pg_catalog.regexp_matches(o.text, 'current_setting\(''' || a.setting || '''[^;]{0,60}?\)::(integer|bigint|uuid|boolean|numeric)\M', 'g') AS m
            JOIN families AS f ON f.type = pg_catalog.to_regtype(m[1]) LIMIT 1),
           ARRAY(SELECT DISTINCT m[1] FROM policies AS p
                 CROSS JOIN pg_catalog.regexp_matches(pg_catalog.concat(p.old_row, ' ', p.new_row),
                                                      'current_setting\(''' || a.setting || '''[^;]{0,40}?\)+ ?= ?''([\w -]+)''', 'g') AS m ORDER BY 1)
    FROM acting AS a WHERE a.name IS NULL
), called AS MATERIALIZED ( -- by rules
    SELECT p.*, a.names AS arguments,
           coalesce((SELECT pg_catalog.has_function_privilege(r.role, p.oid, 'EXECUTE')
                        AND pg_catalog.has_schema_privilege(r.role, p.pronamespace, 'USAGE') FROM actor AS r), false) AS as_user
    FROM functions AS f JOIN pg_catalog.pg_proc AS p ON p.oid = f.oid
    JOIN pg_catalog.pg_language AS l ON l.oid = p.prolang
    CROSS JOIN LATERAL (SELECT CASE WHEN p.proargmodes IS NULL THEN p.proargnames
                                    ELSE ARRAY(SELECT u.name FROM ROWS FROM (pg_catalog.unnest(p.proargnames), pg_catalog.unnest(p.proargmodes)) WITH ORDINALITY AS u (name, mode, n)
                                               WHERE u.mode IN ('i', 'b') ORDER BY u.n) END) AS a (names)
    CROSS JOIN LATERAL (SELECT pg_catalog.count(*) AS columns FROM pg_catalog.unnest(p.proargmodes) AS m WHERE m IN ('o', 'b', 't')) AS o
    WHERE $1::pg_catalog.text[] = '{}' AND l.lanname IN ('sql', 'plpgsql') AND p.provariadic = 0
      AND p.pronamespace NOT IN (SELECT oid FROM standins)
      AND (p.proargmodes IS NULL OR p.prokind = 'f') -- a CALL names arguments that only go out
      AND p.prorettype NOT IN (SELECT oid FROM pg_catalog.pg_type WHERE typname IN ('trigger', 'event_trigger', 'internal')
                               UNION SELECT oid FROM pg_catalog.pg_type WHERE typname = 'record' AND o.columns < 2) -- a record: of which columns?
      AND NOT EXISTS (SELECT FROM calls AS c JOIN functions AS g ON g.oid = c.callee WHERE c.caller = p.oid AND g.alters)
      AND NOT EXISTS (SELECT FROM pg_catalog.pg_trigger AS g WHERE g.tgfoid = p.oid)
), arguments AS MATERIALIZED (
    SELECT p.oid AS function, u.n, coalesce(p.arguments[u.n], '') AS given, u.type, y.base, y.name AS base_name, y.family,
           pg_catalog.regexp_replace(pg_catalog.lower(p.arguments[u.n]), '^(?:(?:p|in|arg|i|v|the|new|of|from|by)_|_+)', '') AS name
    FROM called AS p CROSS JOIN pg_catalog.unnest(p.proargtypes::pg_catalog.oid[]) WITH ORDINALITY AS u (type, n)
    JOIN families AS y ON y.type = u.type
), candidates AS MATERIALIZED ( -- columns that an argument may stand for, the best ranks first
    SELECT a.function, a.n, m.*, s.rank
    FROM arguments AS a JOIN meant AS m ON m.family = a.family
    CROSS JOIN LATERAL (SELECT CASE WHEN m.own AND a.name ~ m.pattern THEN 0 WHEN a.name = m.column THEN 1
                                    WHEN m.part AND a.name = m.stem THEN 2
                                    WHEN a.name LIKE '%\_' || m.column OR m.column LIKE '%\_' || a.name THEN 3 END) AS s (rank)
    WHERE s.rank IS NOT NULL
), one_each AS ( -- of these, keys, or parts of them, in rows of a table: for each argument one column, for each user (no argument) one, too
    SELECT DISTINCT ON (c.function, c.relid, c.number) c.*
    FROM (SELECT DISTINCT ON (d.function, d.relid, d.n, d.actor) d.*
          FROM (SELECT c.function, c.relid, c.n, '' AS actor, c.number, c.column, c.rank FROM candidates AS c WHERE c.part
                UNION ALL
                SELECT p.oid, m.relid, 0, a.name, m.number, m.column, 4 FROM called AS p JOIN acting AS a ON p.as_user JOIN meant AS m ON m.key AND m.table = a.name) AS d
          ORDER BY d.function, d.relid, d.n, d.actor, d.rank, d.number) AS c
    ORDER BY c.function, c.relid, c.number, c.rank, c.n
), together AS MATERIALIZED ( -- the row that several arguments, or one and the user, are drawn from
    SELECT DISTINCT ON (o.function) o.function, o.relid, o.adds, o.args, o.actors, peer.*
    FROM (SELECT e.function, e.relid, pg_catalog.count(*) AS number, pg_catalog.sum(e.rank) AS rank,
                 pg_catalog.count(*) FILTER (WHERE e.n > 0) AS given,
                 coalesce(pg_catalog.jsonb_object_agg(e.n, e.column) FILTER (WHERE e.n > 0), '{}') AS args,
                 coalesce(pg_catalog.jsonb_object_agg(e.actor, e.column) FILTER (WHERE e.n = 0), '{}') AS actors,
                 (e.function, e.relid) IN (SELECT m.function, m.relid FROM mentions AS m) AS mentioned,
                 EXISTS (SELECT FROM functions AS f JOIN tables AS t ON t.oid = e.relid -- it only adds rows
                         WHERE f.oid = e.function AND f.text ~* ('\minto\s+(\w+\.)?"?' || pg_catalog.regexp_replace(t.relname, '(\W)', '\\\1', 'g') || '\M')
                           AND f.text !~* ('\m(from|join|update)\s+(only\s+)?(\w+\.)?"?' || pg_catalog.regexp_replace(t.relname, '(\W)', '\\\1', 'g') || '\M')) AS adds
          FROM one_each AS e GROUP BY e.function, e.relid) AS o
    LEFT JOIN LATERAL ( -- else the user is one of those that belong to the same: members of the order's tenant
        SELECT b.relid AS peer, b.column AS peer_link, l.column AS link, u.column AS peer_user, a.name AS peer_actor
        FROM called AS p JOIN acting AS a ON p.as_user
        JOIN meant AS u ON u.key AND u.table = a.name
        JOIN meant AS b ON b.relid = u.relid AND b.number <> u.number AND b.key AND NOT b.own AND b.table <> a.name
        JOIN meant AS l ON l.relid = o.relid AND l.key AND l.table = b.table
        WHERE p.oid = o.function AND NOT o.actors ? a.name
        ORDER BY u.relid, b.number, l.number, u.number LIMIT 1) AS peer ON true
    WHERE o.given > 0 AND (o.number > 1 OR peer.peer IS NOT NULL)
    ORDER BY o.function, o.mentioned DESC, o.given DESC, o.number DESC, o.adds, o.rank, o.relid
)
SELECT pg_catalog.jsonb_build_object(
    'functions', ARRAY(SELECT pg_catalog.jsonb_build_object(
        'name', p.proname, 'sql', pg_catalog.format('%I.%I', n.nspname, p.proname), 'procedure', p.prokind = 'p',
        'as_user', p.as_user,
        'denied', p.oid IN (SELECT d.function FROM denied AS d),
        -- Roles but the first that it was granted to, or for whom it reads what policies are for.
        'also', ARRAY(SELECT a.name FROM actors AS a
                      WHERE a.rank > 1 AND pg_catalog.has_function_privilege(a.role, p.oid, 'EXECUTE') AND pg_catalog.has_schema_privilege(a.role, p.pronamespace, 'USAGE')
                        AND (NOT EXISTS (SELECT FROM pg_catalog.aclexplode(coalesce(p.proacl, pg_catalog.acldefault('f', p.proowner))) AS g WHERE g.grantee = 0)
                             OR EXISTS (SELECT FROM read_by AS m JOIN tables AS t ON t.oid = m.relid AND t.relrowsecurity WHERE m.function = p.oid))
                        AND NOT EXISTS (SELECT FROM read_by AS m JOIN unusable AS u ON u.role = a.role AND u.relid = m.relid WHERE m.function = p.oid)
                      ORDER BY a.rank),
        -- Another function, which the same call may mean: with defaults for the rest of its arguments.
        'ambiguous', EXISTS (SELECT FROM pg_catalog.pg_proc AS q
                             WHERE q.oid <> p.oid AND q.proname = p.proname AND q.pronamespace = p.pronamespace AND q.pronargs > p.pronargs
                               AND q.pronargs - q.pronargdefaults <= p.pronargs
                               AND (q.proargtypes::pg_catalog.oid[])[0:p.pronargs - 1] = (p.proargtypes::pg_catalog.oid[])[0:p.pronargs - 1]),
        'lacks', (SELECT l.word FROM lacks AS l WHERE l.function = p.oid), 'maker', (SELECT l.maker FROM lacks AS l WHERE l.function = p.oid),
        'codes', ARRAY(SELECT e.code FROM raised AS e WHERE e.function = p.oid
                       UNION SELECT e.code FROM writes AS w JOIN raised_by_write AS e ON e.relid = w.relid WHERE w.function = p.oid ORDER BY 1),
        'reread', ARRAY(SELECT DISTINCT t.name FROM writes AS w JOIN reached AS r ON r.source = w.relid JOIN tables AS t ON t.oid = r.target
                        WHERE w.function = p.oid ORDER BY 1),
        'args', ARRAY(SELECT pg_catalog.jsonb_build_object(
            'name', coalesce(nullif(a.given, ''), 'arg_' || a.n), 'type', pg_catalog.format_type(a.type, -1), 'base', a.base_name,
            'labels', ARRAY(SELECT e.enumlabel FROM pg_catalog.pg_enum AS e WHERE e.enumtypid = a.base ORDER BY e.enumsortorder),
            'column', (SELECT pg_catalog.jsonb_build_object('table', c.table, 'name', c.name, 'key', c.key, 'plain', c.plain)
                       FROM candidates AS c WHERE c.function = a.function AND c.n = a.n AND (c.rank <> 2 OR c.key)
                       ORDER BY c.rank, (c.function, c.relid) NOT IN (SELECT n.function, n.relid FROM mentions AS n), pg_catalog.length(c.relname) DESC, c.relid, c.number LIMIT 1),
            'tables', ARRAY(SELECT DISTINCT m.table FROM meant AS m -- whose keys it may be, if nothing else is known
                            WHERE m.key AND m.family = a.family AND (a.function, m.relid) IN (SELECT n.function, n.relid FROM mentions AS n)
                              AND (a.base_name = 'uuid' OR a.given = '') ORDER BY 1),
            'together', (SELECT c.args ->> a.n::pg_catalog.text FROM together AS c WHERE c.function = a.function))
            FROM arguments AS a WHERE a.function = p.oid ORDER BY a.n),
        'together', (SELECT pg_catalog.jsonb_build_object('table', t.name, 'adds', c.adds, 'actors', c.actors, 'peer', o.name, 'peer_link', c.peer_link,
                                                          'link', c.link, 'peer_user', c.peer_user, 'peer_actor', c.peer_actor)
                     FROM together AS c JOIN tables AS t ON t.oid = c.relid LEFT JOIN tables AS o ON o.oid = c.peer WHERE c.function = p.oid))
        FROM called AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
        ORDER BY p.oid),
    'roles', ARRAY(SELECT a.name FROM actors AS a ORDER BY a.rank),
    'rights', ARRAY(SELECT pg_catalog.jsonb_build_object(
        'kind', r.kind, 'names', pg_catalog.array_agg(DISTINCT r.name COLLATE "C"),
        'all', coalesce(pg_catalog.jsonb_agg(pg_catalog.jsonb_build_array(r.name, r.role, r.does) ORDER BY r.name COLLATE "C", r.role COLLATE "C") FILTER (WHERE r.does <> ''), '[]'))
        FROM rights AS r GROUP BY r.kind ORDER BY r.kind DESC),
    'policies', ARRAY(SELECT p.name || ' on ' || p.of FROM policies AS p ORDER BY p.of, p.name),
    'recursive', ARRAY(SELECT p.name || ' on ' || p.of FROM policies AS p WHERE p.oid IN (SELECT r.oid FROM recursive_policies AS r) ORDER BY p.of, p.name),
    'unusable', ARRAY(SELECT t.name FROM tables AS t WHERE t.oid IN (SELECT u.relid FROM unusable AS u) ORDER BY t.oid),
    'of_others', ARRAY(SELECT p.name || ' on ' || p.of FROM policies AS p WHERE p.oid NOT IN (SELECT u.oid FROM user_policies AS u) ORDER BY p.of, p.name),
    'unseen', ARRAY(SELECT DISTINCT c.name || ' on ' || t.name AS name FROM trigger_code AS c JOIN tables AS t ON t.oid = c.relid
                    WHERE c.oid NOT IN (SELECT g.trigger FROM growing AS g)
                      AND c.oid NOT IN (SELECT o.trigger FROM overwritten AS o JOIN columns AS n ON n.relid = o.relid AND n.name = o.name AND n.bare) ORDER BY 1),
    'unasked', ARRAY(SELECT p.name || ' on ' || p.of FROM policies AS p
                     JOIN (VALUES ('r'::"char", 'SELECT'), ('a', 'INSERT'), ('w', 'UPDATE'), ('d', 'DELETE')) AS c (command, privilege) ON c.command = p.command
                     WHERE (c.command <> 'r' AND p.relid IN (SELECT r.relid FROM reread AS r)
                            OR NOT EXISTS (SELECT FROM user_policies AS u WHERE u.oid = p.oid AND pg_catalog.has_table_privilege(u.role, p.relid, c.privilege)))
                       AND p.oid IN (SELECT u.oid FROM user_policies AS u) ORDER BY p.of, p.name),
    'settings', ARRAY(SELECT pg_catalog.jsonb_build_object('name', a.setting, 'table', a.name, 'type', n.type, 'labels', n.labels)
                      FROM acting AS a LEFT JOIN nameless AS n ON n.setting = a.setting ORDER BY a.setting),
    'missing', ARRAY(SELECT w FROM pg_catalog.unnest($1::pg_catalog.text[]) AS w
                     WHERE NOT EXISTS (SELECT FROM own WHERE w IN (own.name, own.full_name))),
    'tables', ARRAY(SELECT pg_catalog.jsonb_build_object(
        'name', t.name, 'relation', t.relname, 'sql', t.sql, 'source', t.source, 'type', t.type, 'alias', pg_catalog.quote_ident(t.relname),
        'quoted', pg_catalog.quote_literal(t.name),
        'partitioned', t.relkind = 'p',
        'no_partition', NOT EXISTS (SELECT FROM parts AS p JOIN pg_catalog.pg_class AS c ON c.oid = p.oid AND c.relkind <> 'p' WHERE p.root = t.oid),
        'has_rows', EXISTS (SELECT FROM parts AS p WHERE p.root = t.oid AND pg_catalog.pg_relation_size(p.oid) > 0),
        'megabytes', (SELECT pg_catalog.sum(pg_catalog.pg_relation_size(p.oid))::pg_catalog.int8 >> 20 FROM parts AS p WHERE p.root = t.oid),
        -- More than fit a page: too many to be compared after each step.
        'many', (SELECT pg_catalog.sum(pg_catalog.pg_relation_size(p.oid)) > 8192 FROM parts AS p WHERE p.root = t.oid),
        -- Whether a column may be NULL, and may not, that is not for the statement to give.
        'not_null_computed', EXISTS (SELECT FROM columns AS c WHERE c.relid = t.oid AND c.required AND (c.triggered OR c.generated))
                             OR EXISTS (SELECT FROM parts AS p JOIN pg_catalog.pg_attribute AS a ON a.attrelid = p.oid AND a.attnum > 0
                                        JOIN numbers AS n ON n.relid = p.oid AND n.number = a.attnum
                                        JOIN columns AS c ON c.relid = t.oid AND c.number = n.in_root
                                        WHERE p.root = t.oid AND a.attnotnull AND NOT c.required),
        'computes', EXISTS (SELECT FROM columns AS c WHERE c.relid = t.oid AND c.generated)
                    OR EXISTS (SELECT FROM pg_catalog.pg_index AS i
                               WHERE i.indrelid = t.oid AND (i.indexprs IS NOT NULL OR i.indpred IS NOT NULL)),
        'policies', (
            SELECT pg_catalog.jsonb_object_agg(r.name, r.conditions)
            FROM (SELECT a.name, pg_catalog.jsonb_object_agg(
                       c.name, CASE WHEN pg_catalog.has_table_privilege(a.role, t.oid, c.privilege)
                                     AND (c.name <> 'insert' OR NOT EXISTS (
                                              SELECT FROM columns AS n JOIN pg_catalog.pg_attrdef AS d ON d.adrelid = n.relid AND d.adnum = n.number
                                              JOIN pg_catalog.pg_depend AS e ON e.objid = d.oid
                                              JOIN pg_catalog.pg_class AS s ON s.oid = e.refobjid
                                              WHERE n.relid = t.oid
                                                AND CASE s.relkind WHEN 'S' THEN NOT pg_catalog.has_sequence_privilege(a.role, s.oid, 'USAGE') END))
                                    THEN CASE c.new WHEN true THEN p.new_row ELSE p.old_row END END) AS conditions
                  FROM actors AS a JOIN applied AS p ON p.role = a.role AND p.relid = t.oid
                  JOIN (VALUES ('select', 'r'::"char", 'SELECT', false), ('insert', 'a', 'INSERT', true), ('update', 'w', 'UPDATE', false),
                               ('updated', 'w', 'UPDATE', true), ('delete', 'd', 'DELETE', false)) AS c (name, command, privilege, new)
                    ON c.command = p.command
                  WHERE t.relrowsecurity AND pg_catalog.has_schema_privilege(a.role, t.relnamespace, 'USAGE')
                    AND (a.role, t.oid) NOT IN (SELECT u.role, u.relid FROM unusable AS u)
                    AND NOT EXISTS (SELECT FROM policies AS q
                                    JOIN pg_catalog.pg_depend AS d ON d.objid = q.oid AND d.refobjid = t.oid
                                    JOIN columns AS n ON n.relid = t.oid AND n.number = d.refobjsubid
                                    WHERE n.generated OR n.triggered)
                  GROUP BY a.name) AS r),
        'fires_before', ARRAY(SELECT e.event FROM events AS e WHERE e.relid = t.oid AND e.before ORDER BY 1),
        'fires_after', ARRAY(SELECT e.event FROM events AS e WHERE e.relid = t.oid AND NOT e.before ORDER BY 1),
        'codes', ARRAY(SELECT e.code FROM raised_by_write AS e WHERE e.relid = t.oid ORDER BY 1),
        -- Tables that its triggers may insert into, and those whose rows they may change or delete: a constraint that would refuse
        -- the statement then may not.
        'added_to', ARRAY(SELECT DISTINCT o.name FROM trigger_code AS c JOIN writes AS w ON w.function = c.function AND w.adds
                          JOIN tables AS o ON o.oid = w.relid WHERE c.relid = t.oid ORDER BY 1),
        'taken_from', ARRAY(SELECT DISTINCT o.name FROM trigger_code AS c JOIN writes AS w ON w.function = c.function AND w.takes
                            JOIN tables AS o ON o.oid = w.relid WHERE c.relid = t.oid ORDER BY 1),
        -- By event, the tables to which its triggers always add a row.
        'grows', (SELECT pg_catalog.jsonb_object_agg(g.event, g.names)
                  FROM (SELECT g.event, pg_catalog.jsonb_agg(DISTINCT g.name ORDER BY g.name) AS names FROM growing AS g WHERE g.relid = t.oid GROUP BY g.event) AS g),
        'codes_of_values', ARRAY(SELECT e.code FROM raised_by_value AS e WHERE e.relid = t.oid ORDER BY 1),
        'denied', EXISTS (SELECT FROM trigger_code AS c JOIN denied AS d ON d.function = c.function WHERE c.relid = t.oid),
        -- A rule ON UPDATE can't refer to columns that are assigned together.
        'update_rule', EXISTS (SELECT FROM pg_catalog.pg_rewrite AS r WHERE r.ev_class = t.oid AND r.ev_type = '2'),
        -- Something happens even if no row is written.
        'by_statement', EXISTS (SELECT FROM trigger_code AS c WHERE c.relid = t.oid AND c.tgtype & 1 = 0)
                        OR EXISTS (SELECT FROM pg_catalog.pg_rewrite AS r WHERE r.ev_class = t.oid),
        'skips', EXISTS (SELECT FROM trigger_code AS c
                         WHERE c.relid = t.oid AND c.before_row
                           AND (c.text ~* '\mreturn\s+null\M' OR c.language <> 'plpgsql' AND NOT c.sets_argument))
                 OR EXISTS (SELECT FROM pg_catalog.pg_rewrite AS r WHERE r.ev_class = t.oid AND r.is_instead),
        'reread', coalesce((SELECT r.names FROM reread AS r WHERE r.relid = t.oid), '{}'),
        'columns', ARRAY(SELECT pg_catalog.jsonb_build_object(
            'name', c.name, 'base', c.base, 'sql', c.sql, 'quoted', pg_catalog.quote_literal(c.name), 'counted', c.counted, 'required', c.required,
            'by_type', c.by_type,
            'generated', c.generated, 'triggered', c.triggered, 'form', c.form,
            'overwritten', c.triggered AND c.bare AND NOT c.generated AND NOT c.identity
                           AND EXISTS (SELECT FROM overwritten AS o WHERE o.relid = t.oid AND o.name = c.name),
            'wakes', NOT c.generated AND NOT c.identity -- named by an UPDATE, it makes such a trigger fire
                     AND EXISTS (SELECT FROM overwritten AS o WHERE o.relid = t.oid AND c.number = ANY (o.of)),
            'unasked', c.counted AND c.required AND NOT c.identity AND NOT c.triggered -- nothing else says that it is never NULL
                       AND NOT EXISTS (SELECT FROM indexes AS i WHERE i.relid = t.oid AND i.main AND c.number = ANY (i.keys)),
            'justified', c.form::pg_catalog.text ~ 'interval',
            'default', CASE WHEN c.base = 'bool' AND c.value IN ('true', 'false') OR c.base IN ('int2', 'int4', 'int8') AND c.value ~ '^\d+$'
                            THEN c.value::pg_catalog.jsonb
                            WHEN (c.enum OR c.base IN ('text', 'varchar')) AND c.value ~ '^''[^'']*''::[\w."]+( varying)?$'
                            THEN pg_catalog.to_jsonb(pg_catalog.split_part(c.value, '''', 2)) END,
            -- Whether its default is known not to be NULL, where the column may be: so is a default that was dropped found.
            'filled', NOT c.required AND NOT c.generated AND NOT c.counted AND NOT c.triggered AND c.value !~* '\m(null|case|select)\M|->|#>'
                      AND NOT EXISTS (SELECT FROM pg_catalog.regexp_matches(c.value, '(\w+)"?\s*\(', 'g') AS m
                                      WHERE pg_catalog.lower(m[1]) NOT IN ('now', 'timezone', 'clock_timestamp', 'statement_timestamp', 'transaction_timestamp',
                                            'current_timestamp', 'localtimestamp', 'gen_random_uuid', 'uuid_generate_v4', 'random', 'floor', 'abs', 'round',
                                            'md5', 'json_build_object', 'jsonb_build_object', 'numeric', 'varying', 'character', 'bpchar', 'timestamp', 'time', 'interval', 'bit')),
            -- Whether a rule may leave it to its default: of one that is no constant, the model can't tell whom it refers to.
            'defaulted', c.value IS NOT NULL AND NOT c.generated AND NOT c.counted AND NOT c.triggered
                         AND (c.value ~ '^(true|false|\d+)$' OR c.base IN ('text', 'varchar') AND c.value ~ '^''[^'']*''::[\w."]+( varying)?$'
                              OR NOT EXISTS (SELECT FROM refs AS r WHERE r.conrelid = t.oid AND c.number = ANY (r.conkey))
                                 AND (c.value ~ 'uuid' OR NOT EXISTS (SELECT FROM indexes AS i WHERE i.relid = t.oid AND c.number = ANY (i.keys)))),
            'near', ARRAY( -- values that its CHECKs name, and numbers beside them
                SELECT DISTINCT v.value
                FROM pg_catalog.pg_constraint AS k
                CROSS JOIN pg_catalog.pg_get_expr(k.conbin, k.conrelid) AS e (text)
                CROSS JOIN LATERAL (
                    SELECT pg_catalog.to_jsonb(m[1]::pg_catalog.int4 + d) FROM pg_catalog.regexp_matches(e.text, '(?:^|[^\w.''])(-?\d{1,9})(?![\w.])', 'g') AS m, pg_catalog.generate_series(-1, 1) AS d
                    WHERE c.base IN ('int2', 'int4', 'int8', 'numeric')
                    UNION
                    SELECT pg_catalog.to_jsonb(m[1]) FROM pg_catalog.regexp_matches(e.text, '''(\w[\w -]*)''::(?:text|character varying)', 'g') AS m
                    WHERE c.base IN ('text', 'varchar')
                    UNION
                    SELECT pg_catalog.to_jsonb(m[1]) FROM pg_catalog.regexp_matches(e.text, ' ~~\*? ''([^''%_\\]+)%''::text', 'g') AS m -- that begin like it
                    WHERE c.base IN ('text', 'varchar')) AS v (value)
                WHERE k.contype = 'c' AND (k.conrelid = t.oid AND c.number = ANY (k.conkey)
                                           OR k.contypid IN (SELECT b.type FROM based AS b JOIN pg_catalog.pg_attribute AS a ON a.atttypid = b.oid
                                                             WHERE a.attrelid = t.oid AND a.attnum = c.number))
                ORDER BY 1 LIMIT 20),
            'lengths', ARRAY( -- numbers that its CHECKs compare its length with
                SELECT DISTINCT m[1]::pg_catalog.int4
                FROM pg_catalog.pg_constraint AS k
                CROSS JOIN pg_catalog.pg_get_expr(k.conbin, k.conrelid) AS e (text)
                CROSS JOIN pg_catalog.regexp_matches(e.text, 'length\([^)]*\)*(?:::\w+)*\)* (?:[<>=]+) (\d{1,4})(?!\d)', 'g') AS m
                WHERE c.base IN ('text', 'varchar', 'citext') AND k.contype = 'c' AND k.conrelid = t.oid AND c.number = ANY (k.conkey)
                ORDER BY 1 LIMIT 5),
            'checked', CASE WHEN c.checked AND NOT c.enum AND coalesce(c.form::pg_catalog.text !~ '\d"', true) THEN c.base END, -- not what is rounded
            'by_domain', EXISTS (SELECT FROM based AS b JOIN pg_catalog.pg_constraint AS k ON k.contypid = b.type AND k.contype = 'c' WHERE b.oid = c.type),
            'members', (SELECT pg_catalog.jsonb_object_agg(m.name, m.type ORDER BY m.name) FROM json_members AS m
                        WHERE m.relid = t.oid AND m.number = c.number AND m.name IS NOT NULL),
            'shape', (SELECT coalesce(pg_catalog.max(m.type) FILTER (WHERE m.name IS NULL), 'object') FROM json_members AS m
                      WHERE m.relid = t.oid AND m.number = c.number HAVING count(*) > 0), -- of JSON, if CHECKs give it one
            'fixed', EXISTS (SELECT FROM refs AS r WHERE r.confrelid = t.oid AND c.number = ANY (r.confkey) AND NOT r.exact)
                     OR EXISTS (SELECT FROM row_keys AS k WHERE k.relid = t.oid AND c.number = ANY (k.keys))
                        AND NOT EXISTS (SELECT FROM plain AS p WHERE p.relid = t.oid AND p.number = c.number),
            'broken', CASE
                WHEN c.generated THEN pg_catalog.format('SELECT * FROM %s WHERE %s IS DISTINCT FROM (%s)', t.source, c.sql, c.value)
                WHEN c.required AND c.triggered THEN pg_catalog.format('SELECT * FROM %s WHERE %s IS NULL', t.source, c.sql) END)
            FROM columns AS c WHERE c.relid = t.oid ORDER BY c.number),
        'key', ARRAY(SELECT c.name FROM row_keys AS k, pg_catalog.unnest(k.keys) WITH ORDINALITY AS u (number, n), columns AS c
                     WHERE k.relid = t.oid AND c.relid = t.oid AND c.number = u.number ORDER BY u.n),
        'uniques', ARRAY(SELECT pg_catalog.jsonb_build_object(
            'name', i.name, 'exact', i.exact, 'touched', i.touched,
            -- Of one that the model does not foretell. `asked`: a statement can ask whether it takes a row.
            'asked', NOT i.exact AND i.whole AND NOT i.nulls_equal AND t.relkind = 'r' AND NOT i.computed
                     AND NOT EXISTS (SELECT FROM trigger_code AS c JOIN writes AS w ON w.function = c.function
                                     WHERE c.relid = t.oid AND w.relid = t.oid),
            'terms', CASE WHEN NOT i.exact THEN i.terms END, 'where', i.condition, 'nulls_equal', i.nulls_equal, 'source', i.source,
            'operators', (SELECT pg_catalog.jsonb_agg(pg_catalog.format('OPERATOR(%I.%s)', s.nspname, o.oprname) ORDER BY u.n)
                          FROM pg_catalog.unnest(i.operators) WITH ORDINALITY AS u (operator, n)
                          JOIN pg_catalog.pg_operator AS o ON o.oid = u.operator
                          JOIN pg_catalog.pg_namespace AS s ON s.oid = o.oprnamespace),
            'columns', ARRAY(SELECT c.name FROM pg_catalog.unnest(i.keys) WITH ORDINALITY AS u (number, n), columns AS c
                             WHERE c.relid = t.oid AND c.number = u.number ORDER BY u.n))
            FROM index_facts AS i WHERE i.relid = t.oid ORDER BY i.main DESC, i.oid),
        'checks', ARRAY(
            SELECT pg_catalog.jsonb_build_object('name', c.conname, 'columns', ARRAY(SELECT n.name FROM columns AS n WHERE n.relid = t.oid AND n.number = ANY (c.conkey) ORDER BY n.number),
                'condition', pg_catalog.pg_get_expr(c.conbin, c.conrelid), 'broken',
                CASE WHEN c.convalidated THEN
                    pg_catalog.format('SELECT * FROM %s WHERE NOT (%s)', t.sql, pg_catalog.pg_get_expr(c.conbin, c.conrelid)) END)
            FROM pg_catalog.pg_constraint AS c WHERE c.contype = 'c' AND c.conrelid = t.oid
              AND coalesce((pg_catalog.to_jsonb(c) ->> 'conenforced')::pg_catalog.bool, true)
            UNION
            SELECT pg_catalog.jsonb_build_object('name', c.conname, 'broken', pg_catalog.format(
                'SELECT * FROM %s WHERE NOT (%s)', p.oid::pg_catalog.regclass, pg_catalog.pg_get_expr(c.conbin, c.conrelid)))
            FROM parts AS p JOIN pg_catalog.pg_constraint AS c ON c.conrelid = p.oid
            WHERE p.root = t.oid AND p.oid <> t.oid AND c.contype = 'c' AND c.coninhcount = 0
              AND coalesce((pg_catalog.to_jsonb(c) ->> 'conenforced')::pg_catalog.bool, true)
            UNION
            SELECT pg_catalog.jsonb_build_object('name', c.conname, 'by_type', true, 'broken', pg_catalog.format(
                'SELECT * FROM (SELECT %s::%s AS value FROM %s) AS x WHERE NOT (%s)', a.sql,
                (SELECT pg_catalog.format_type(last.type, NULL) FROM based AS last JOIN pg_catalog.pg_type AS y ON y.oid = last.type
                 WHERE last.oid = a.type AND y.typtype <> 'd'),
                t.sql, pg_catalog.pg_get_expr(c.conbin, 0)))
            FROM columns AS a JOIN based AS b ON b.oid = a.type JOIN pg_catalog.pg_constraint AS c ON c.contypid = b.type
            WHERE a.relid = t.oid AND c.contype = 'c'
            ORDER BY 1),
        'nulls', ARRAY( -- NOT NULL of a partition; its own partitions have it, too
            SELECT pg_catalog.jsonb_build_object('name', pg_catalog.format('%s_%s_not_null', r.relname, a.attname), 'broken', pg_catalog.format(
                'SELECT * FROM %s WHERE %I IS NULL', p.oid::pg_catalog.regclass, a.attname))
            FROM parts AS p JOIN pg_catalog.pg_class AS r ON r.oid = p.oid
            JOIN pg_catalog.pg_inherits AS h ON h.inhrelid = p.oid
            JOIN pg_catalog.pg_attribute AS a ON a.attrelid = p.oid AND a.attnum > 0 AND a.attnotnull
            JOIN pg_catalog.pg_attribute AS above ON above.attrelid = h.inhparent AND above.attname = a.attname AND NOT above.attnotnull
            WHERE p.root = t.oid AND p.oid <> t.oid
              AND NOT EXISTS (SELECT FROM pg_catalog.pg_constraint AS c -- NOT VALID, from PostgreSQL 18 on
                              WHERE c.conrelid = p.oid AND c.contype = 'n' AND a.attnum = ANY (c.conkey) AND NOT c.convalidated)
            ORDER BY 1),
        'references', ARRAY(SELECT pg_catalog.jsonb_build_object(
            'name', r.name, 'parent', r.parent, 'columns', r.names, 'parent_columns', r.parent_names, 'full', r.full,
            'exact', r.exact,
            'on_update', (SELECT a.what FROM actions AS a WHERE a.ref = r.oid AND a.event = 'update'),
            'on_delete', (SELECT a.what FROM actions AS a WHERE a.ref = r.oid AND a.event = 'delete'),
            'broken', CASE WHEN NOT r.exact THEN (SELECT pg_catalog.format(
                           CASE WHEN r.period THEN 'SELECT * FROM %1$s AS c WHERE %2$s AND NOT coalesce(c.%5$I <@ (SELECT range_agg(p.%6$I) FROM %3$s AS p WHERE %4$s), false)'
                                ELSE 'SELECT * FROM %s AS c WHERE %s AND NOT EXISTS (SELECT FROM %s AS p WHERE %s)' END,
                           r.child_sql, pg_catalog.string_agg(pg_catalog.format('c.%I IS NOT NULL', u.child), ' AND '), r.parent_sql,
                           pg_catalog.string_agg(pg_catalog.format('p.%I = c.%I', u.parent, u.child), ' AND ')
                               FILTER (WHERE NOT r.period OR u.n < pg_catalog.cardinality(r.names)),
                           r.names[pg_catalog.cardinality(r.names)], r.parent_names[pg_catalog.cardinality(r.names)])
                       FROM ROWS FROM (pg_catalog.unnest(r.names), pg_catalog.unnest(r.parent_names)) WITH ORDINALITY AS u (child, parent, n)) END)
            FROM refs AS r WHERE r.conrelid = t.oid ORDER BY r.oid))
        FROM tables AS t ORDER BY t.oid))
