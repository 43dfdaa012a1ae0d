-- For each pattern of $1 the first place where it matches: a function's source, or a statement of $2; or of $3, but those
-- of $4 don't matter there.
WITH place AS (
    SELECT 'function ' || p.oid::pg_catalog.regprocedure::pg_catalog.text AS name, p.prosrc AS source, '{}'::pg_catalog.text[] AS without
    FROM pg_catalog.pg_proc AS p
    JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
    WHERE n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
      AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend AS d
                      WHERE d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass
                        AND d.objid = p.oid AND d.deptype = 'e')
    UNION ALL
    SELECT 'the statement ' || pg_catalog.left(pg_catalog.regexp_replace(s.text, '\s+', ' ', 'g'), 60), s.text, s.without
    FROM (SELECT s, '{}' FROM pg_catalog.unnest($2::pg_catalog.text[]) AS s
          UNION ALL
          SELECT s, $4::pg_catalog.text[] FROM pg_catalog.unnest($3::pg_catalog.text[]) AS s) AS s (text, without)
)
SELECT p.number, pg_catalog.min(place.name COLLATE "C")
FROM pg_catalog.unnest($1::pg_catalog.text[]) WITH ORDINALITY AS p (pattern, number)
JOIN place ON place.source ~* p.pattern AND p.pattern <> ALL (place.without)
GROUP BY p.number
ORDER BY p.number
