-- What changes the schema, or the path on which names are looked for, when it is called or written to: functions that
-- say so in their text where $1 is empty; else what mentions one of $1, which is known to, and is not known itself.
-- To say so of one that does not costs time only.
WITH source (name, text) AS (
    SELECT p.proname, CASE p.prosrc WHEN '' THEN pg_catalog.pg_get_functiondef(p.oid) ELSE p.prosrc END
    FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_language AS l ON l.oid = p.prolang
    WHERE p.oid >= 16384 AND p.prokind IN ('f', 'p') AND l.lanname NOT IN ('c', 'internal') -- not of initdb's
    UNION ALL
    SELECT c.relname, p.proname
    FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_class AS c ON c.oid = t.tgrelid
    JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    WHERE NOT t.tgisinternal
    UNION ALL
    SELECT c.relname, pg_catalog.pg_get_viewdef(c.oid)
    FROM pg_catalog.pg_class AS c WHERE c.oid >= 16384 AND c.relkind = 'v' AND $1::pg_catalog.text[] <> '{}'
), way (pattern) AS (
    SELECT pattern FROM (VALUES
        ('\m(create|alter|drop)\s+(or\s+replace\s+|(global|local|temp|temporary|unlogged)\s+)*(table|view|recursive'
         '|materialized|foreign|type|domain|function|procedure|aggregate|schema|sequence|extension|operator|cast'
         '|%|'')'),
        ('\mimport\s+foreign\s+schema\M'),
        ('\minto\s+(table|temp|temporary|unlogged)\M'),
        ('\msearch_path\M')
    ) AS v (pattern) WHERE $1::pg_catalog.text[] = '{}'
    UNION ALL
    SELECT '\m(' || pg_catalog.string_agg(pg_catalog.regexp_replace(n, '(\W)', '\\\1', 'g'), '|') || ')\M'
    FROM pg_catalog.unnest($1::pg_catalog.text[]) AS n HAVING pg_catalog.count(*) > 0
)
SELECT DISTINCT source.name FROM source JOIN way ON source.text ~* way.pattern
WHERE source.name <> ALL ($1::pg_catalog.text[])
