-- For each pattern of $1 the first place where it matches: a function's source, or a statement of $2.
WITH place AS (
    SELECT 'function ' || p.oid::pg_catalog.regprocedure::pg_catalog.text AS name, p.prosrc AS source
    FROM pg_catalog.pg_proc AS p
    JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
    WHERE n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
      AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend AS d
                      WHERE d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass
                        AND d.objid = p.oid AND d.deptype = 'e')
    UNION ALL
    SELECT 'the statement ' || pg_catalog.left(pg_catalog.regexp_replace(s, '\s+', ' ', 'g'), 60), s
    FROM pg_catalog.unnest($2::pg_catalog.text[]) AS s
)
SELECT p.number, pg_catalog.min(place.name COLLATE "C")
FROM pg_catalog.unnest($1::pg_catalog.text[]) WITH ORDINALITY AS p (pattern, number)
JOIN place ON place.source ~* p.pattern
GROUP BY p.number
ORDER BY p.number
