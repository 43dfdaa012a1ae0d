-- What a rollback does not take back, of what the statements in $1 may reach, or functions that they may call: its
-- kind (catalog.c), and the first name with how many more there are. Names are searched for as words of a text, with
-- one space for all that stands between words: there may be more than is reached, not less.
WITH text AS MATERIALIZED ( -- once, not for each relation
    SELECT ' ' || pg_catalog.regexp_replace(pg_catalog.lower(source), '[^[:alnum:]_$]+', ' ', 'g') || ' ' AS words
    FROM (SELECT s AS source FROM pg_catalog.unnest($1::pg_catalog.text[]) AS s
          UNION ALL
          SELECT p.prosrc
          FROM pg_catalog.pg_proc AS p
          JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
          WHERE n.nspname <> 'information_schema' AND n.nspname !~ '^pg_') AS t
), named AS (
    SELECT c.oid
    FROM pg_catalog.pg_class AS c
    CROSS JOIN LATERAL (
        SELECT ' ' || pg_catalog.regexp_replace(pg_catalog.lower(c.relname), '[^[:alnum:]_$]+', ' ', 'g') || ' ' AS words
    ) AS n
    WHERE EXISTS (SELECT FROM text WHERE pg_catalog.strpos(text.words, n.words) > 0)
), counter AS (
    SELECT s.oid, u.relation
    FROM pg_catalog.pg_class AS s
    JOIN (SELECT d.objid AS sequence, d.refobjid AS relation -- serial, identity
          FROM pg_catalog.pg_depend AS d
          WHERE d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass
            AND d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.deptype IN ('a', 'i')
          UNION ALL
          SELECT d.refobjid, a.adrelid -- DEFAULT nextval(...)
          FROM pg_catalog.pg_depend AS d
          JOIN pg_catalog.pg_attrdef AS a ON a.oid = d.objid
          WHERE d.classid = 'pg_catalog.pg_attrdef'::pg_catalog.regclass
            AND d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass
          UNION ALL
          SELECT c.oid, c.oid FROM pg_catalog.pg_class AS c) AS u ON u.sequence = s.oid
    WHERE s.relkind = 'S' AND s.relpersistence <> 't'
), thing AS (
    SELECT 0 AS kind, 'function ' || p.oid::pg_catalog.regprocedure::pg_catalog.text AS name
    FROM pg_catalog.pg_proc AS p
    JOIN pg_catalog.pg_language AS l ON l.oid = p.prolang
    WHERE NOT l.lanpltrusted AND l.lanname NOT IN ('internal', 'c')
    UNION
    SELECT 1, 'foreign table ' || f.ftrelid::pg_catalog.regclass::pg_catalog.text
    FROM pg_catalog.pg_foreign_table AS f
    JOIN pg_catalog.pg_foreign_server AS s ON s.oid = f.ftserver
    JOIN pg_catalog.pg_foreign_data_wrapper AS w ON w.oid = s.srvfdw
    -- The one reads only; the other rolls back at the other end, too.
    WHERE w.fdwname NOT IN ('file_fdw', 'postgres_fdw') AND f.ftrelid IN (SELECT oid FROM named)
    UNION
    SELECT 2, 'sequence ' || oid::pg_catalog.regclass::pg_catalog.text
    FROM counter
    WHERE relation IN (SELECT oid FROM named)
)
SELECT kind, pg_catalog.min(name COLLATE "C")
             || CASE WHEN pg_catalog.count(*) > 1
                     THEN pg_catalog.format(' and %s more', pg_catalog.count(*) - 1) ELSE '' END
FROM thing
GROUP BY kind
ORDER BY kind
