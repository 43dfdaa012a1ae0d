-- A query that moves sequences to where step $1 begins, or NULL if there is none to be moved.
--
-- Two databases whose schemas differ a little give the same column the same numbers, and others have other ones: the
-- range is made of the name of the column that the sequence is for, or else of its own name. Ranges begin below
-- 900000, and a step has a hundred numbers, so that ids stay short. What a sequence gives that is no column's id may
-- be formatted (`lpad`): there a step begins where a few more numbers would.
--
-- Left out are sequences that count down, start over or have a limit, and those of columns without room. One that is
-- beyond its range already stays where it is, and so does one that is gone or may not be moved any more.
WITH columns AS (
    SELECT d.objid AS sequence, d.refobjid AS relation, d.refobjsubid AS number, d.deptype = 'i' AS gives, true AS owns
    FROM pg_catalog.pg_depend AS d
    WHERE d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass
      AND d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.deptype IN ('a', 'i') AND d.refobjsubid > 0
    UNION ALL
    SELECT d.refobjid, f.adrelid, f.adnum,
           pg_catalog.pg_get_expr(f.adbin, f.adrelid) ~ '^nextval\([^()]*\)$', false
    FROM pg_catalog.pg_depend AS d
    JOIN pg_catalog.pg_attrdef AS f ON f.oid = d.objid
    WHERE d.classid = 'pg_catalog.pg_attrdef'::pg_catalog.regclass
      AND d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass
), users AS (
    SELECT c.sequence, pg_catalog.format('%s.%s.%s', n.nspname, r.relname, a.attname) AS name,
           pg_catalog.bool_or(c.gives) AS gives, pg_catalog.bool_or(c.owns) AS owns,
           CASE WHEN t.typtype = 'd' THEN t.typbasetype ELSE t.oid END = ANY (ARRAY['int4', 'int8', 'numeric']::pg_catalog.regtype[])
               AND a.atttypmod = -1 AND t.typtypmod = -1 AS has_room
    FROM columns AS c
    JOIN pg_catalog.pg_class AS r ON r.oid = c.relation AND NOT r.relispartition
    JOIN pg_catalog.pg_namespace AS n ON n.oid = r.relnamespace
    JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.relation AND a.attnum = c.number
    JOIN pg_catalog.pg_type AS t ON t.oid = a.atttypid
    GROUP BY c.sequence, n.nspname, r.relname, a.attname, t.oid, a.atttypmod
), uses AS (
    SELECT u.sequence, pg_catalog.bool_and(u.gives) AS gives, pg_catalog.bool_and(u.has_room) AS has_room,
           COALESCE(pg_catalog.min(u.name) FILTER (WHERE u.owns),
                    CASE WHEN pg_catalog.count(*) = 1 THEN pg_catalog.min(u.name) END) AS name
    FROM users AS u
    GROUP BY u.sequence
), sequences AS (
    SELECT pg_catalog.format('%I.%I', n.nspname, c.relname) AS name,
           CASE WHEN u.gives
                THEN 10000 + (pg_catalog.hashtextextended(
                         COALESCE(u.name, pg_catalog.format('%s.%s', n.nspname, c.relname)) COLLATE "C", 0)
                         & 2147483647) % 889973
                ELSE s.seqstart END AS base,
           100 * s.seqincrement AS stride
    FROM pg_catalog.pg_sequence AS s
    JOIN pg_catalog.pg_class AS c ON c.oid = s.seqrelid
    JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    LEFT JOIN uses AS u ON u.sequence = c.oid
    -- CASE, as AND has no order.
    WHERE CASE
              WHEN c.relpersistence <> 't' AND n.nspname !~ '^pg_' AND NOT s.seqcycle
               AND s.seqincrement BETWEEN 1 AND 1000 AND s.seqmin <= 10000 AND s.seqstart <= 1000000000
               AND s.seqmax >= 2147483647 AND COALESCE(u.has_room OR NOT u.gives, true)
               AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')
              THEN pg_catalog.has_sequence_privilege(c.oid, 'SELECT')
               AND pg_catalog.has_sequence_privilege(c.oid, 'UPDATE')
          END
)
SELECT CASE WHEN pg_catalog.count(*) > 0 THEN
       pg_catalog.format('SELECT pg_catalog.count(CASE WHEN pg_catalog.has_sequence_privilege(s.id, ''UPDATE'') '
                         'THEN CASE WHEN COALESCE(pg_catalog.pg_sequence_last_value(s.id), 0) OPERATOR(pg_catalog.<) s.number '
                         'THEN pg_catalog.setval(s.id, s.number, false) END END) FROM (SELECT '
                         'pg_catalog.to_regclass(r.name) AS id, r.base OPERATOR(pg_catalog.+) (r.stride '
                         'OPERATOR(pg_catalog.*) $1::pg_catalog.int8) AS number FROM ROWS FROM ('
                         'pg_catalog.unnest(%L::pg_catalog.text[]), pg_catalog.unnest(%L::pg_catalog.int8[]), '
                         'pg_catalog.unnest(%L::pg_catalog.int8[])) AS r (name, base, stride) OFFSET 0) AS s',
                         pg_catalog.array_agg(s.name), pg_catalog.array_agg(s.base), pg_catalog.array_agg(s.stride))
       END
FROM sequences AS s
