-- What a machine without a model has to know beside init.sql, as JSON: functions with what their arguments may stand for, views,
-- the roles and settings that the schema knows, and who may do what. $1 as in init.sql; $2, $3: the columns of definitions.sql.
WITH RECURSIVE based AS ( -- a type, and what it is based on as a domain
    SELECT t.oid, t.oid AS type FROM pg_catalog.pg_type AS t
    UNION
    SELECT b.oid, t.typbasetype FROM based AS b JOIN pg_catalog.pg_type AS t ON t.oid = b.type WHERE t.typtype = 'd'
), relations AS MATERIALIZED (
    SELECT c.oid, c.relname, c.relkind, c.relnamespace, c.relrowsecurity, c.relowner, c.reltype, c.relacl,
           CASE WHEN pg_catalog.pg_table_is_visible(c.oid) THEN c.relname ELSE n.nspname || '.' || c.relname END AS name,
           c.oid::pg_catalog.regclass::pg_catalog.text AS sql
    FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'v', 'm') AND NOT c.relispartition AND c.relpersistence <> 't'
      AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
      AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend AS d
                      WHERE d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objid = c.oid AND d.deptype = 'e')
), tables AS (
    SELECT * FROM relations WHERE relkind IN ('r', 'p')
), families (type, base, name, family) AS MATERIALIZED ( -- types of which one's values may stand for another's
    SELECT b.oid, y.oid, y.typname, CASE WHEN y.typname IN ('int2', 'int4', 'int8') THEN 'integer'
                                         WHEN y.typname IN ('text', 'varchar', 'bpchar', 'citext', 'name') THEN 'text'
                                         ELSE y.oid::pg_catalog.text END
    FROM based AS b JOIN pg_catalog.pg_type AS y ON y.oid = b.type WHERE y.typtype <> 'd'
), columns AS MATERIALIZED (
    SELECT a.attrelid AS relid, a.attnum AS number, a.attname AS name, a.atttypid AS type, a.attnotnull AS required, a.attgenerated <> '' AS generated
    FROM pg_catalog.pg_attribute AS a WHERE a.attrelid IN (SELECT oid FROM tables) AND a.attnum > 0 AND NOT a.attisdropped
), row_keys AS ( -- as init.sql says, of one column
    SELECT DISTINCT ON (i.indrelid) i.indrelid AS relid, i.indkey[0] AS number
    FROM pg_catalog.pg_index AS i JOIN columns AS c ON c.relid = i.indrelid AND c.number = i.indkey[0] AND c.required
    WHERE i.indisunique AND i.indnkeyatts = 1 AND i.indpred IS NULL AND i.indexprs IS NULL
    ORDER BY i.indrelid, i.indisprimary DESC, i.indexrelid
), parts AS ( -- of keys of several columns, too
    SELECT i.indrelid AS relid, k.number
    FROM pg_catalog.pg_index AS i CROSS JOIN pg_catalog.unnest(i.indkey::pg_catalog.int2[]) AS k (number)
    WHERE i.indisprimary
), refs AS (
    SELECT DISTINCT ON (f.conrelid, f.conkey[1]) f.conrelid AS relid, f.conkey[1] AS number, f.confrelid AS parent, f.confkey[1] AS parent_number
    FROM pg_catalog.pg_constraint AS f JOIN row_keys AS k ON k.relid = f.confrelid AND k.number = f.confkey[1]
    WHERE f.contype = 'f' AND pg_catalog.cardinality(f.conkey) = 1 AND f.conrelid IN (SELECT oid FROM tables)
    ORDER BY f.conrelid, f.conkey[1], f.oid
), meant AS MATERIALIZED ( -- what an argument may stand for: a column, or the key that it refers to
    SELECT t.oid AS relid, c.number, t.relname, c.name AS column, c.type, f.family, k.relid IS NOT NULL AND p.oid IS NULL AS own,
           k.relid IS NOT NULL OR p.oid IS NOT NULL AS key,
           k.relid IS NOT NULL OR p.oid IS NOT NULL OR EXISTS (SELECT FROM parts AS q WHERE q.relid = t.oid AND q.number = c.number) AS part,
           t.name AS of, coalesce(p.name, t.name) AS table,
           pg_catalog.regexp_replace(c.name, '_?(id|code|key|uuid|no|by)$', '') AS stem,
           '(^|_)' || CASE WHEN e.name ~ 'ies$' THEN pg_catalog.regexp_replace(e.name, 'ies$', '(ies|y)')
                           WHEN e.name ~ '(s|x|ch|sh)es$' THEN pg_catalog.regexp_replace(e.name, 'es$', '(es)?')
                           ELSE pg_catalog.regexp_replace(e.name, 's$', '') || 's?' END
               || '(_?ids?|_' || pg_catalog.regexp_replace(c.name, '(\W)', '\\\1', 'g') || 's?)?$' AS pattern
    FROM tables AS t JOIN columns AS c ON c.relid = t.oid AND NOT c.generated
    JOIN families AS f ON f.type = c.type
    CROSS JOIN pg_catalog.regexp_replace(pg_catalog.lower(t.relname), '(\W)', '\\\1', 'g') AS e (name)
    LEFT JOIN row_keys AS k ON k.relid = t.oid AND k.number = c.number
    LEFT JOIN (refs AS r JOIN tables AS p ON p.oid = r.parent) ON r.relid = t.oid AND r.number = c.number
), functions AS MATERIALIZED (
    SELECT p.oid, p.proname AS name, s.text
    FROM pg_catalog.pg_proc AS p
    JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
    CROSS JOIN pg_catalog.regexp_replace(CASE p.prosrc WHEN '' THEN pg_catalog.pg_get_functiondef(p.oid) ELSE p.prosrc END,
                                         '--[^\n]*|/\*.*?\*/', '', 'g') AS s (text)
    WHERE n.nspname <> 'information_schema' AND n.nspname !~ '^pg_' AND p.prokind IN ('f', 'p')
      AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend AS d
                      WHERE d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND d.objid = p.oid AND d.deptype = 'e')
), named (caller, callee) AS MATERIALIZED ( -- by the last word of its name
    SELECT DISTINCT f.oid, g.oid
    FROM functions AS f
    CROSS JOIN pg_catalog.regexp_matches(f.text, '(\w+)\W?"?\s*\(', 'g') AS m
    JOIN functions AS g ON pg_catalog.lower(pg_catalog.substring(g.name, '(\w+)\W?$')) = pg_catalog.lower(m[1])
), calls (caller, callee) AS (
    SELECT f.oid, f.oid FROM functions AS f
    UNION
    SELECT c.caller, n.callee FROM calls AS c JOIN named AS n ON n.caller = c.callee
), unsafe (text) AS ( -- what waits, reaches out of the database, or stops other sessions
    SELECT '\m(pg_sleep\w*|dblink\w*|pg_(read|ls|stat)_\w*(file|dir)\w*|pg_file_\w+|lo_(import|export)|pg_(terminate|cancel)_backend'
           || '|pg_(reload_conf|rotate_logfile|switch_wal|promote|create_restore_point)|pg_\w*replication\w*|http_\w+|net\.http\w*)"?\s*\('
           || '|\mcopy\M[^;]*\m(program|to|from)\M\s*(program\s*)?''|\malter\s+system\M'
), texts (oid, text) AS MATERIALIZED ( -- in which settings are read; `oid`: of the table or view, or of none
    SELECT p.polrelid, pg_catalog.concat(pg_catalog.pg_get_expr(p.polqual, p.polrelid), ' ', pg_catalog.pg_get_expr(p.polwithcheck, p.polrelid))
    FROM pg_catalog.pg_policy AS p WHERE p.polrelid IN (SELECT oid FROM tables)
    UNION ALL
    SELECT r.oid, u.text FROM ROWS FROM (pg_catalog.unnest($2::pg_catalog.oid[]), pg_catalog.unnest($3::pg_catalog.text[])) AS u (oid, text) JOIN relations AS r USING (oid)
    UNION ALL
    SELECT d.adrelid, pg_catalog.pg_get_expr(d.adbin, d.adrelid) FROM pg_catalog.pg_attrdef AS d WHERE d.adrelid IN (SELECT oid FROM tables)
    UNION ALL
    SELECT NULL, f.text FROM functions AS f
), roles AS MATERIALIZED ( -- that may be taken on: those that are granted something, or that policies are for
    SELECT r.oid, r.rolname AS name, pg_catalog.row_number() OVER (ORDER BY pg_catalog.sum(g.weight) DESC, r.rolname) AS rank
    FROM (SELECT pg_catalog.unnest(p.polroles) AS role, 100 AS weight FROM pg_catalog.pg_policy AS p WHERE p.polrelid IN (SELECT oid FROM tables)
          UNION ALL
          SELECT a.grantee, 1 FROM relations AS t, pg_catalog.aclexplode(t.relacl) AS a
          UNION ALL
          SELECT a.grantee, 1 FROM pg_catalog.pg_attribute AS c, pg_catalog.aclexplode(c.attacl) AS a WHERE c.attrelid IN (SELECT oid FROM relations)
          UNION ALL
          SELECT a.grantee, 1 FROM functions AS f JOIN pg_catalog.pg_proc AS p ON p.oid = f.oid, pg_catalog.aclexplode(p.proacl) AS a
          UNION ALL
          SELECT a.grantee, 1 FROM pg_catalog.pg_namespace AS n, pg_catalog.aclexplode(n.nspacl) AS a
          WHERE n.nspname <> 'information_schema' AND n.nspname !~ '^pg_') AS g
    JOIN pg_catalog.pg_roles AS r ON r.oid = g.role
    WHERE NOT r.rolsuper AND r.rolname !~ '^pg_' AND r.rolname <> current_user
      AND pg_catalog.pg_has_role(r.oid, CASE WHEN pg_catalog.current_setting('server_version_num')::pg_catalog.int4 >= 160000 THEN 'SET' ELSE 'MEMBER' END)
    GROUP BY r.oid, r.rolname ORDER BY 3 LIMIT 6
), setting_names AS (
    SELECT DISTINCT m[1] AS name
    FROM texts AS t CROSS JOIN pg_catalog.regexp_matches(t.text, 'current_setting\(\s*''([\w.-]+)''', 'g') AS m WHERE m[1] ~ '\.'
), settings (id, name, path, word) AS MATERIALIZED ( -- `path`: of a claim; `word`: what it is probably about
    SELECT s.name, s.name, '{}'::pg_catalog.text[], pg_catalog.regexp_replace(pg_catalog.lower(pg_catalog.regexp_replace(s.name, '^.*\.', '')), '^current_', '')
    FROM setting_names AS s WHERE s.name <> 'request.jwt.claims'
    UNION
    SELECT 'request.jwt.claims.' || pg_catalog.array_to_string(c.path, '.'), 'request.jwt.claims', c.path,
           pg_catalog.lower(c.path[pg_catalog.cardinality(c.path)])
    FROM (SELECT '{sub}'::pg_catalog.text[] AS path
          UNION
          SELECT ARRAY(SELECT w[1] FROM pg_catalog.regexp_matches(m[1], '->>?\s*''(\w+)''', 'g') AS w)
          FROM texts AS t
          CROSS JOIN pg_catalog.regexp_matches(t.text, '(?:\mjwt\(\)|claims\M)[^;-]{0,80}((?:->>?\s*''\w+''(?:::\w+)?[\s)]*)+)', 'gi') AS m) AS c
    WHERE EXISTS (SELECT FROM setting_names AS s WHERE s.name = 'request.jwt.claims') AND c.path <> '{role}'
), acting (id, name) AS MATERIALIZED ( -- the table whose row a setting stands for
    SELECT s.id, (SELECT m.of FROM meant AS m
                  WHERE m.own AND (s.word ~ m.pattern
                                   OR s.word ~ '^(claims|sub|uid|user|user_?id|login|email)$' AND m.relname ~ '^(app_|auth_)?(user|profile|account|member|person|customer|employee)s?$|^people$')
                  ORDER BY s.word !~ m.pattern, m.of !~ 'user', pg_catalog.length(m.relname) DESC, m.relid LIMIT 1)
    FROM settings AS s
), looking (function) AS MATERIALIZED ( -- at settings
    SELECT DISTINCT c.caller FROM calls AS c JOIN functions AS f ON f.oid = c.callee
    WHERE f.text ~* 'current_setting' OR EXISTS (SELECT FROM tables AS t WHERE t.relrowsecurity AND pg_catalog.strpos(f.text, t.relname) > 0)
), looked (relid) AS MATERIALIZED ( -- what of a statement's outcome may depend on settings
    SELECT t.oid FROM tables AS t WHERE t.relrowsecurity
    UNION
    SELECT g.tgrelid FROM pg_catalog.pg_trigger AS g JOIN looking AS l ON l.function = g.tgfoid
    UNION
    SELECT t.oid FROM texts AS t
    WHERE t.oid IS NOT NULL AND (t.text ~* 'current_setting'
       OR EXISTS (SELECT FROM looking AS l JOIN functions AS f ON f.oid = l.function WHERE t.text ~ ('\m' || pg_catalog.regexp_replace(f.name, '(\W)', '\\\1', 'g') || '"?\(')))
    UNION
    SELECT r.ev_class FROM pg_catalog.pg_rewrite AS r JOIN pg_catalog.pg_depend AS d ON d.objid = r.oid
    JOIN tables AS t ON t.oid = d.refobjid AND t.relrowsecurity
), called AS MATERIALIZED ( -- by rules
    SELECT p.*, f.text, a.names AS arguments, a.types AS given,
           coalesce((SELECT pg_catalog.count(*) FROM pg_catalog.unnest(p.proargmodes) AS m WHERE m IN ('o', 'b', 't')), 0) AS columns
    FROM functions AS f JOIN pg_catalog.pg_proc AS p ON p.oid = f.oid
    JOIN pg_catalog.pg_language AS l ON l.oid = p.prolang
    CROSS JOIN LATERAL (
        SELECT pg_catalog.array_agg(coalesce(u.name, '') ORDER BY u.n) AS names, pg_catalog.array_agg(u.type ORDER BY u.n) AS types
        FROM ROWS FROM (pg_catalog.unnest(coalesce(p.proallargtypes, p.proargtypes::pg_catalog.oid[])), pg_catalog.unnest(p.proargnames), pg_catalog.unnest(p.proargmodes))
             WITH ORDINALITY AS u (type, name, mode, n)
        WHERE coalesce(u.mode, 'i') IN ('i', 'b', 'v') OR p.prokind = 'p') AS a
    WHERE $1::pg_catalog.text[] = '{}' AND (l.lanpltrusted OR l.lanname IN ('sql', 'plpgsql'))
      AND pg_catalog.obj_description(p.pronamespace, 'pg_namespace') IS DISTINCT FROM 'stand-in' -- as init.sql says
      AND p.prorettype NOT IN (SELECT y.oid FROM pg_catalog.pg_type AS y
                               WHERE y.typname IN ('trigger', 'event_trigger', 'internal', 'language_handler', 'fdw_handler', 'index_am_handler', 'table_am_handler', 'tsm_handler'))
      AND NOT (p.proretset AND p.prorettype = 'pg_catalog.record'::pg_catalog.regtype AND p.proargmodes IS NULL) -- of which columns?
      AND NOT EXISTS (SELECT FROM pg_catalog.unnest(a.types) AS t JOIN pg_catalog.pg_type AS y ON y.oid = t
                      WHERE y.typtype = 'p' AND y.typname !~ '^any(element|array|nonarray|range|compatible|compatiblearray|compatiblenonarray|compatiblerange)$')
      AND NOT EXISTS (SELECT FROM calls AS c JOIN functions AS g ON g.oid = c.callee CROSS JOIN unsafe AS u WHERE c.caller = p.oid AND g.text ~* u.text)
), scalars (type, facts) AS MATERIALIZED (
    SELECT f.type, pg_catalog.jsonb_build_object('base', CASE y.typname WHEN 'anyelement' THEN 'int4' WHEN 'anynonarray' THEN 'int4' WHEN 'anycompatible' THEN 'int4'
                                                                       WHEN 'anycompatiblenonarray' THEN 'int4' WHEN 'anyrange' THEN 'int4range'
                                                                       WHEN 'anycompatiblerange' THEN 'int4range' ELSE y.typname END,
               'labels', ARRAY(SELECT e.enumlabel FROM pg_catalog.pg_enum AS e WHERE e.enumtypid = f.base ORDER BY e.enumsortorder))
    FROM families AS f JOIN pg_catalog.pg_type AS y ON y.oid = f.base
    WHERE y.typtype IN ('b', 'e', 'r', 'm', 'p') AND y.typname !~ '^any(compatible)?array$' AND NOT (y.typelem <> 0 AND y.typlen = -1)
), arrays (type, facts) AS MATERIALIZED (
    SELECT f.type, pg_catalog.jsonb_build_object('element', s.facts)
    FROM families AS f JOIN pg_catalog.pg_type AS y ON y.oid = f.base AND y.typelem <> 0 AND y.typlen = -1 JOIN scalars AS s ON s.type = y.typelem
    UNION ALL
    SELECT y.oid, '{"element": {"base": "int4", "labels": []}}' FROM pg_catalog.pg_type AS y WHERE y.typname ~ '^any(compatible)?array$'
), composites (type, facts) AS MATERIALIZED (
    SELECT f.type, pg_catalog.jsonb_build_object('row', pg_catalog.format_type(f.base, NULL), 'table', (SELECT t.name FROM tables AS t WHERE t.reltype = f.base),
               'fields', ARRAY(SELECT pg_catalog.jsonb_build_object('name', a.attname) || coalesce(s.facts, r.facts, '{}')
                               FROM pg_catalog.pg_attribute AS a LEFT JOIN scalars AS s ON s.type = a.atttypid LEFT JOIN arrays AS r ON r.type = a.atttypid
                               WHERE a.attrelid = y.typrelid AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum))
    FROM families AS f JOIN pg_catalog.pg_type AS y ON y.oid = f.base AND y.typtype = 'c'
), shapes (type, facts) AS MATERIALIZED (
    SELECT * FROM scalars
    UNION ALL SELECT * FROM arrays
    UNION ALL SELECT * FROM composites
    UNION ALL
    SELECT f.type, pg_catalog.jsonb_build_object('element', c.facts)
    FROM families AS f JOIN pg_catalog.pg_type AS y ON y.oid = f.base AND y.typelem <> 0 AND y.typlen = -1 JOIN composites AS c ON c.type = y.typelem
), arguments AS MATERIALIZED (
    SELECT p.oid AS function, u.n, coalesce(p.arguments[u.n], '') AS given, u.type, y.name AS base, y.family,
           pg_catalog.regexp_replace(pg_catalog.lower(p.arguments[u.n]), '^(?:(?:p|in|arg|i|v|a|the|new|of|from|by|input|param)_|_+)', '') AS name
    FROM called AS p CROSS JOIN pg_catalog.unnest(p.given) WITH ORDINALITY AS u (type, n)
    LEFT JOIN pg_catalog.pg_type AS e ON e.oid = u.type AND e.typelem <> 0 AND e.typlen = -1 -- of an array: its element
    LEFT JOIN families AS y ON y.type = coalesce(e.typelem, u.type)
), members AS MATERIALIZED ( -- of JSON, that a function's text names
    SELECT DISTINCT a.function, a.n, coalesce(w[1], w[2]) AS member
    FROM arguments AS a JOIN functions AS f ON f.oid = a.function
    CROSS JOIN pg_catalog.regexp_matches(f.text, '->>?\s*''(\w+)''|\?\s*''(\w+)''', 'g') AS w
    WHERE a.base IN ('json', 'jsonb')
), inputs (function, n, member, type, family, name) AS MATERIALIZED (
    SELECT a.function, a.n, '', a.type, a.family, a.name FROM arguments AS a
    UNION ALL
    SELECT m.function, m.n, m.member, NULL, NULL, pg_catalog.lower(m.member) FROM members AS m
), mentions (function, relid) AS MATERIALIZED (
    SELECT DISTINCT c.caller, t.oid
    FROM calls AS c JOIN functions AS f ON f.oid = c.callee
    JOIN tables AS t ON pg_catalog.strpos(pg_catalog.lower(f.text), pg_catalog.lower(t.relname)) > 0
                    AND f.text ~* ('\m' || pg_catalog.regexp_replace(t.relname, '(\W)', '\\\1', 'g') || '\M')
), candidates AS MATERIALIZED ( -- columns that an input may stand for, the best ranks first
    SELECT a.function, a.n, a.member, m.*, s.rank, (a.function, m.relid) IN (SELECT x.function, x.relid FROM mentions AS x) AS mentioned
    FROM inputs AS a JOIN meant AS m ON a.family IS NULL OR m.family = a.family
    CROSS JOIN LATERAL (SELECT CASE WHEN m.own AND a.name ~ m.pattern THEN 0 WHEN a.name = m.column THEN 1
                                    WHEN m.part AND a.name = m.stem THEN 2
                                    WHEN a.name LIKE '%\_' || m.column OR m.column LIKE '%\_' || a.name THEN 3
                                    WHEN m.type = a.type AND m.type >= 16384 AND a.type NOT IN (SELECT c.type FROM composites AS c) THEN 4 -- of the same domain or enum
                                    END) AS s (rank)
    WHERE s.rank IS NOT NULL
), best AS MATERIALIZED (
    SELECT DISTINCT ON (c.function, c.n, c.member) c.* FROM candidates AS c
    WHERE c.rank <> 2 OR c.key
    ORDER BY c.function, c.n, c.member, c.rank = 4, NOT c.mentioned, c.rank, pg_catalog.length(c.relname) DESC, c.relid, c.number
), one_each AS ( -- of these, keys, or parts of them, in rows of a table: for each argument one column, for each user (no argument) one, too
    SELECT DISTINCT ON (c.function, c.relid, c.number) c.*
    FROM (SELECT DISTINCT ON (d.function, d.relid, d.n, d.actor) d.*
          FROM (SELECT c.function, c.relid, c.n, '' AS actor, c.number, c.column, c.rank FROM candidates AS c WHERE c.part AND c.member = ''
                UNION ALL
                SELECT l.function, m.relid, 0, a.id, m.number, m.column, 4 FROM looking AS l CROSS JOIN acting AS a JOIN meant AS m ON m.key AND m.table = a.name) AS d
          ORDER BY d.function, d.relid, d.n, d.actor, d.rank, d.number) AS c
    ORDER BY c.function, c.relid, c.number, c.rank, c.n
), together AS MATERIALIZED ( -- the row that several arguments, or one and the user, are drawn from
    SELECT DISTINCT ON (o.function) o.*
    FROM (SELECT e.function, e.relid, pg_catalog.count(*) AS number, pg_catalog.sum(e.rank) AS rank, pg_catalog.count(*) FILTER (WHERE e.n > 0) AS given,
                 coalesce(pg_catalog.jsonb_object_agg(e.n, e.column) FILTER (WHERE e.n > 0), '{}') AS args,
                 coalesce(pg_catalog.jsonb_object_agg(e.actor, ARRAY[e.column]) FILTER (WHERE e.n = 0), '{}') AS actors,
                 (e.function, e.relid) IN (SELECT m.function, m.relid FROM mentions AS m) AS mentioned
          FROM one_each AS e GROUP BY e.function, e.relid) AS o
    WHERE o.given > 0 AND o.number > 1
    ORDER BY o.function, o.mentioned DESC, o.given DESC, o.number DESC, o.rank, o.relid
), written AS MATERIALIZED ( -- views that someone is to write to: not all that the server could update
    SELECT r.oid, pg_catalog.pg_relation_is_updatable(r.oid, true) AS events
    FROM relations AS r JOIN pg_catalog.pg_class AS c ON c.oid = r.oid
    WHERE r.relkind = 'v'
      AND (EXISTS (SELECT FROM pg_catalog.pg_trigger AS t WHERE t.tgrelid = r.oid)
           OR EXISTS (SELECT FROM pg_catalog.pg_rewrite AS w WHERE w.ev_class = r.oid AND w.ev_type <> '1')
           OR pg_catalog.array_to_string(c.reloptions, ' ') ~ 'check_option'
           OR EXISTS (SELECT FROM pg_catalog.aclexplode(r.relacl) AS a WHERE a.grantee <> r.relowner AND a.privilege_type IN ('INSERT', 'UPDATE', 'DELETE')))
), view_columns AS MATERIALIZED ( -- with the column that each probably shows: that of its name, or one that its name ends with
    SELECT DISTINCT ON (a.attrelid, a.attnum) a.attrelid AS relid, a.attnum AS number, a.attname AS name, a.atttypid AS type, m.table, m.of, m.column, m.key, m.own,
           EXISTS (SELECT FROM pg_catalog.pg_attribute AS b WHERE b.attrelid = m.relid AND b.attnum = m.number AND (b.atthasdef OR b.attidentity <> '')) AS defaulted
    FROM written AS v JOIN pg_catalog.pg_attribute AS a ON a.attrelid = v.oid AND a.attnum > 0 AND NOT a.attisdropped
    JOIN families AS f ON f.type = a.atttypid
    LEFT JOIN meant AS m ON m.family = f.family AND (m.column = a.attname OR a.attname LIKE '%\_' || m.column)
         AND m.relid IN (SELECT d.refobjid FROM pg_catalog.pg_rewrite AS w JOIN pg_catalog.pg_depend AS d ON d.objid = w.oid
                         WHERE w.ev_class = v.oid AND d.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass)
    ORDER BY a.attrelid, a.attnum, m.column = a.attname DESC, m.key DESC, m.own DESC, m.relid
), channels AS ( -- that something notifies
    SELECT DISTINCT coalesce(w[1], pg_catalog.replace(w[2], '""', '"'), pg_catalog.lower(w[3])) AS name
    FROM texts AS t
    CROSS JOIN pg_catalog.regexp_matches(t.text, '\mpg_notify\s*\(\s*''([^'']{1,63})''|(?:^|;|\m(?:begin|then|else|loop|do|also|instead))\s*notify\s+(?:"((?:[^"]|""){1,63})"|([[:alpha:]_][\w$]*))\s*(?:,|;|$)', 'gi') AS w
    ORDER BY 1 LIMIT 50
), adds AS MATERIALIZED ( -- the tables that a function inserts into
    SELECT c.caller AS function, t.oid AS relid, pg_catalog.min(CASE WHEN c.caller = c.callee THEN pg_catalog.strpos(f.text, t.relname) ELSE 1000000 END) AS place
    FROM calls AS c JOIN functions AS f ON f.oid = c.callee
    JOIN tables AS t ON f.text ~* ('\minsert\s+into\s+(\w+\.|"[^"]+"\.)?"?' || pg_catalog.regexp_replace(t.relname, '(\W)', '\\\1', 'g') || '\M')
    GROUP BY c.caller, t.oid
)
SELECT pg_catalog.jsonb_build_object(
    'roles', ARRAY(SELECT r.name FROM roles AS r ORDER BY r.rank),
    'settings', ARRAY(SELECT pg_catalog.jsonb_build_object(
        'id', s.id, 'name', s.name, 'path', s.path, 'table', a.name,
        'labels', ARRAY(SELECT DISTINCT m[1] FROM texts AS t
                        CROSS JOIN pg_catalog.regexp_matches(t.text, CASE WHEN s.path = '{}' THEN 'current_setting\(\s*''' || s.name || '''[^;'']{0,60}\)+ ?(?:=|<>|<|>|IN \() ?''([\w -]+)'''
                                                                          ELSE '''' || s.path[pg_catalog.cardinality(s.path)] || '''[^;'']{0,20}\)+ ?(?:=|<>|<|>) ?''([\w -]+)''' END, 'gi') AS m
                        UNION
                        SELECT m[1] FROM texts AS t CROSS JOIN pg_catalog.regexp_matches(t.text, '''([A-Za-z][\w-]{0,24})''::text', 'g') AS m
                        WHERE a.name IS NULL AND t.oid IS NOT NULL -- which policies compare something with
                        ORDER BY 1 LIMIT 8),
        'type', CASE WHEN s.word ~ '^(sub|uid)$' OR EXISTS (SELECT FROM texts AS t WHERE t.text ~* ('''' || coalesce(s.path[pg_catalog.cardinality(s.path)], s.name) || '''[^;]{0,60}\)*::uuid\M')) THEN 'uuid'
                     WHEN EXISTS (SELECT FROM texts AS t WHERE t.text ~* ('''' || coalesce(s.path[pg_catalog.cardinality(s.path)], s.name) || '''[^;]{0,60}\)*::(int|bigint|numeric|smallint)')) THEN 'int4'
                     WHEN EXISTS (SELECT FROM texts AS t WHERE t.text ~* ('''' || coalesce(s.path[pg_catalog.cardinality(s.path)], s.name) || '''[^;]{0,60}\)*::bool')) THEN 'bool' END)
        FROM settings AS s JOIN acting AS a ON a.id = s.id ORDER BY s.id),
    'channels', ARRAY(SELECT c.name FROM channels AS c),
    'tables', ARRAY(SELECT pg_catalog.jsonb_build_object(
        'writes', (SELECT pg_catalog.jsonb_build_object('insert', v.events & 8 <> 0, 'update', v.events & 4 <> 0, 'delete', v.events & 16 <> 0)
                   FROM written AS v WHERE v.oid = r.oid),
        'columns', ARRAY(SELECT pg_catalog.jsonb_build_object(
                             'name', c.name, 'sql', pg_catalog.quote_ident(c.name), 'defaulted', c.defaulted, 'own', c.own,
                             'column', CASE WHEN c.of IS NOT NULL THEN pg_catalog.jsonb_build_object('table', c.table, 'of', c.of, 'name', c.column, 'key', c.key AND NOT c.own) END)
                         || coalesce((SELECT s.facts FROM shapes AS s WHERE s.type = c.type LIMIT 1), '{}')
                         FROM view_columns AS c WHERE c.relid = r.oid ORDER BY c.number),
        'name', r.name, 'sql', r.sql, 'view', r.relkind IN ('v', 'm'),
        'unsafe', r.relkind IN ('v', 'm') AND EXISTS (SELECT FROM texts AS t CROSS JOIN unsafe AS u WHERE t.oid = r.oid AND t.text ~* u.text),
        'looks', r.oid IN (SELECT l.relid FROM looked AS l),
        'refreshed', r.relkind = 'm',
        'ordered', r.relkind = 'v' AND EXISTS (SELECT FROM texts AS t WHERE t.oid = r.oid AND t.text ~* '\morder\s+by\M[^()]*(\([^()]*(\([^()]*\)[^()]*)*\)[^()]*)*$'),
        'answers', NOT EXISTS (SELECT FROM pg_catalog.pg_rewrite AS w WHERE w.ev_class = r.oid AND w.ev_type = '3' AND w.is_instead), -- RETURNING works
        'defaulted', ARRAY(SELECT c.name FROM columns AS c JOIN pg_catalog.pg_attrdef AS d ON d.adrelid = c.relid AND d.adnum = c.number
                           WHERE c.relid = r.oid AND NOT c.generated ORDER BY c.number),
        -- What may be wrong with a value: its type's limit, that it refers to nothing, that it is there already (with others).
        'limits', (SELECT pg_catalog.jsonb_object_agg(x.name, x.limits)
                   FROM (SELECT c.name, pg_catalog.jsonb_strip_nulls(pg_catalog.jsonb_build_object(
                                'size', CASE WHEN y.typname IN ('varchar', 'bpchar') AND m.mod BETWEEN 5 AND 1004 THEN m.mod - 4 END,
                                'digits', CASE WHEN y.typname = 'numeric' AND m.mod > 4 AND ((m.mod - 4) >> 16) & 65535 BETWEEN (m.mod - 4) & 2047 AND 30
                                               THEN (((m.mod - 4) >> 16) & 65535) - ((m.mod - 4) & 2047) END,
                                'numbered', c.number IN (SELECT n.attnum FROM pg_catalog.pg_attribute AS n WHERE n.attrelid = r.oid AND n.attidentity = 'd')
                                            OR EXISTS (SELECT FROM pg_catalog.pg_attrdef AS d WHERE d.adrelid = r.oid AND d.adnum = c.number
                                                       AND pg_catalog.pg_get_expr(d.adbin, d.adrelid) ~ '^nextval\(') OR NULL, -- and may be given, too
                                'enum', y.typtype = 'e' OR NULL,
                                'refers', EXISTS (SELECT FROM pg_catalog.pg_constraint AS f
                                                  WHERE f.conrelid = r.oid AND f.contype = 'f' AND c.number = ANY (f.conkey)) OR NULL,
                                'unique', (SELECT pg_catalog.jsonb_agg(n.name ORDER BY n.number)
                                           FROM columns AS n
                                           WHERE n.relid = r.oid AND NOT n.generated
                                             AND n.number = ANY ((SELECT i.indkey FROM pg_catalog.pg_index AS i
                                                                  WHERE i.indrelid = r.oid AND i.indisunique AND c.number = ANY (i.indkey)
                                                                  ORDER BY i.indexrelid LIMIT 1)::pg_catalog.int2[])),
                                'alike', CASE WHEN y.typname IN ('text', 'varchar') AND EXISTS ( -- by an expression
                                    SELECT FROM pg_catalog.pg_index AS i JOIN pg_catalog.pg_depend AS d ON d.objid = i.indexrelid
                                    WHERE i.indrelid = r.oid AND i.indisunique AND i.indexprs IS NOT NULL AND d.refobjid = r.oid AND d.refobjsubid = c.number)
                                    THEN ARRAY[c.name] END)) AS limits
                         FROM columns AS c JOIN pg_catalog.pg_attribute AS a ON a.attrelid = r.oid AND a.attnum = c.number
                         JOIN based AS b ON b.oid = c.type JOIN pg_catalog.pg_type AS y ON y.oid = b.type AND y.typtype <> 'd'
                         CROSS JOIN LATERAL (SELECT CASE a.atttypmod WHEN -1 THEN (SELECT pg_catalog.max(d.typtypmod) FROM based AS e JOIN pg_catalog.pg_type AS d ON d.oid = e.type
                                                                                   WHERE e.oid = c.type) ELSE a.atttypmod END) AS m (mod)
                         WHERE c.relid = r.oid) AS x
                   WHERE x.limits <> '{}'),
        'truncated', EXISTS (SELECT FROM pg_catalog.pg_trigger AS t WHERE t.tgrelid = r.oid AND NOT t.tgisinternal), -- may matter
        -- Of tables with deferred checks, the columns whose values may make up for each other's.
        'amounts', ARRAY(SELECT c.name FROM columns AS c
                         WHERE c.relid = r.oid AND NOT c.generated
                           AND c.type = ANY (ARRAY['int4', 'int8', 'numeric', 'float8', 'money']::pg_catalog.regtype[])
                           AND (c.relid, c.number) NOT IN (SELECT f.relid, f.number FROM refs AS f)
                           AND (c.relid, c.number) NOT IN (SELECT k.relid, k.number FROM parts AS k)
                           AND EXISTS (SELECT FROM pg_catalog.pg_trigger AS t WHERE t.tgrelid = r.oid AND t.tgdeferrable AND NOT t.tgisinternal)
                         ORDER BY c.number),
        'select', ARRAY(SELECT a.name FROM roles AS a WHERE pg_catalog.has_any_column_privilege(a.oid, r.oid, 'SELECT') ORDER BY a.rank),
        'insert', ARRAY(SELECT a.name FROM roles AS a WHERE pg_catalog.has_any_column_privilege(a.oid, r.oid, 'INSERT') ORDER BY a.rank),
        'update', ARRAY(SELECT a.name FROM roles AS a WHERE pg_catalog.has_any_column_privilege(a.oid, r.oid, 'UPDATE') ORDER BY a.rank),
        'delete', ARRAY(SELECT a.name FROM roles AS a WHERE pg_catalog.has_table_privilege(a.oid, r.oid, 'DELETE') ORDER BY a.rank),
        -- By setting, the columns that may hold it: that refer to its row, or that policies look at.
        'actors', (SELECT pg_catalog.jsonb_object_agg(x.id, x.columns)
                   FROM (SELECT a.id, pg_catalog.jsonb_agg(c.name ORDER BY c.number) AS columns
                         FROM acting AS a JOIN columns AS c ON c.relid = r.oid
                         JOIN settings AS s ON s.id = a.id
                         WHERE CASE WHEN a.name IS NULL
                                    THEN c.name = s.word OR c.name LIKE s.word || '\_%' OR c.name LIKE '%\_' || s.word OR s.word LIKE c.name || '\_%'
                                      OR s.word ~ '^(sub|uid)$' AND c.type = 'pg_catalog.uuid'::pg_catalog.regtype
                                         AND c.number IN (SELECT d.refobjsubid FROM pg_catalog.pg_policy AS p JOIN pg_catalog.pg_depend AS d ON d.objid = p.oid
                                                          WHERE p.polrelid = r.oid AND d.refobjid = r.oid)
                                    ELSE EXISTS (SELECT FROM meant AS m WHERE m.relid = r.oid AND m.number = c.number AND m.key AND m.table = a.name) END
                         GROUP BY a.id) AS x))
        FROM relations AS r ORDER BY r.oid),
    'functions', ARRAY(SELECT pg_catalog.jsonb_build_object(
        'name', p.proname, 'sql', pg_catalog.format('%I.%I', n.nspname, p.proname), 'procedure', p.prokind = 'p',
        'only_reads', p.provolatile <> 'v',
        'commits', p.prokind = 'p' AND p.text ~* '\m(commit|rollback)\s*(and\s+(no\s+)?chain\s*)?;',
        'variadic', p.provariadic <> 0, 'record', p.prorettype = 'pg_catalog.record'::pg_catalog.regtype AND p.columns < 2,
        'looks', p.oid IN (SELECT l.function FROM looking AS l),
        'execute', ARRAY(SELECT a.name FROM roles AS a WHERE pg_catalog.has_function_privilege(a.oid, p.oid, 'EXECUTE')
                                                         AND pg_catalog.has_schema_privilege(a.oid, p.pronamespace, 'USAGE') ORDER BY a.rank),
        -- With how many arguments it is called: with all, and without those that have a default, unless the call may mean another function.
        'given', ARRAY(SELECT k.given
                       FROM (SELECT pg_catalog.cardinality(a.given) AS given, p.pronargs AS own FROM (SELECT coalesce(p.given, '{}')) AS a (given)
                             UNION
                             SELECT p.pronargs - p.pronargdefaults, p.pronargs - p.pronargdefaults WHERE p.provariadic = 0 AND p.prokind = 'f') AS k
                       WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_proc AS q
                                         WHERE q.oid <> p.oid AND q.proname = p.proname AND q.pronamespace = p.pronamespace
                                           AND q.pronargs >= k.own AND q.pronargs - q.pronargdefaults <= k.own
                                           AND (k.own = 0 OR (q.proargtypes::pg_catalog.oid[])[0:k.own - 1] = (p.proargtypes::pg_catalog.oid[])[0:k.own - 1]))
                       ORDER BY 1 DESC),
        'rows', (SELECT t.name FROM tables AS t WHERE t.reltype = p.prorettype), -- which it returns
        'key', (SELECT m.of FROM meant AS m JOIN families AS f ON f.type = p.prorettype AND f.family = m.family
                LEFT JOIN adds AS a ON a.function = p.oid AND a.relid = m.relid
                WHERE m.own AND (a.relid IS NOT NULL OR p.proname ~ m.pattern)
                ORDER BY a.place NULLS LAST, m.relid LIMIT 1),
        'adds', ARRAY(SELECT t.name FROM adds AS a JOIN tables AS t ON t.oid = a.relid WHERE a.function = p.oid ORDER BY a.place, t.oid),
        'together', (SELECT pg_catalog.jsonb_build_object('table', t.name, 'actors',
                            (SELECT pg_catalog.jsonb_object_agg(a.id, ARRAY[m.column]) FROM acting AS a JOIN meant AS m ON m.relid = c.relid AND m.key AND m.table = a.name)) FROM together AS c JOIN tables AS t ON t.oid = c.relid WHERE c.function = p.oid),
        'words', ARRAY(SELECT DISTINCT m[1] FROM pg_catalog.regexp_matches(p.text, '''([A-Za-z]\w{0,24})''', 'g') AS m ORDER BY 1 LIMIT 12), -- texts that it may compare arguments with
        'args', ARRAY(SELECT pg_catalog.jsonb_build_object(
            'name', coalesce(nullif(a.given, ''), 'arg_' || a.n),
            'type', CASE WHEN a.type::pg_catalog.regtype::pg_catalog.text ~ '^any.*array$' THEN 'integer[]' WHEN a.type::pg_catalog.regtype::pg_catalog.text ~ '^any.*range$' THEN 'int4range'
                         WHEN a.type::pg_catalog.regtype::pg_catalog.text ~ '^any' THEN 'integer' ELSE pg_catalog.format_type(a.type, -1) END,
            'out', p.proargmodes[a.n] = 'o' AND p.prokind = 'p',
            'column', (SELECT pg_catalog.jsonb_build_object('table', c.table, 'of', c.of, 'name', c.column, 'key', c.key)
                       FROM best AS c WHERE c.function = a.function AND c.n = a.n AND c.member = ''),
            'words', ARRAY(SELECT t.relname FROM tables AS t WHERE a.family = 'text' AND a.name ~ '(table|relation|rel)(_?name)?$' ORDER BY t.oid LIMIT 20),
            'tables', ARRAY(SELECT DISTINCT m.of FROM meant AS m -- whose keys it may be, if nothing else is known
                            WHERE m.own AND m.family = a.family AND a.base <> 'bool'
                              AND (a.function, m.relid) IN (SELECT x.function, x.relid FROM mentions AS x) ORDER BY 1),
            'members', ARRAY(SELECT pg_catalog.jsonb_build_object('name', m.member, 'column',
                                 (SELECT pg_catalog.jsonb_build_object('table', c.table, 'of', c.of, 'name', c.column, 'key', c.key)
                                  FROM best AS c WHERE c.function = a.function AND c.n = a.n AND c.member = m.member))
                             FROM members AS m WHERE m.function = a.function AND m.n = a.n ORDER BY m.member),
            'together', (SELECT c.args ->> a.n::pg_catalog.text FROM together AS c WHERE c.function = a.function))
            || coalesce((SELECT s.facts FROM shapes AS s WHERE s.type = a.type LIMIT 1), '{}')
            FROM arguments AS a WHERE a.function = p.oid ORDER BY a.n))
        FROM called AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
        ORDER BY p.oid))
