-- What changes the schema, or the path on which names are looked for, when it is called or written to: functions that
-- say so in their text where $1 is empty; else what mentions one of $1, which is known to mend $2. The machine's own
-- texts, $3, are told by an empty name. With the errors that it may mend, as SQLSTATEs; what is known is left out.
-- To say so of one that does not costs time, and leaves a mistake to the run.
WITH source (name, text) AS (
    SELECT p.proname, CASE p.prosrc WHEN '' THEN pg_catalog.pg_get_functiondef(p.oid) ELSE p.prosrc END
    FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_language AS l ON l.oid = p.prolang
    WHERE p.oid >= 16384 AND p.prokind IN ('f', 'p') AND l.lanname NOT IN ('c', 'internal') -- not of initdb's
      AND p.pronamespace IS DISTINCT FROM pg_catalog.to_regnamespace('pg_pgfsm') -- nor of sql/gates.sql
    UNION ALL
    SELECT c.relname, p.proname
    FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_class AS c ON c.oid = t.tgrelid
    JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
    WHERE NOT t.tgisinternal
    UNION ALL
    SELECT c.relname, pg_catalog.pg_get_viewdef(c.oid)
    FROM pg_catalog.pg_class AS c WHERE c.oid >= 16384 AND c.relkind = 'v' AND $1::pg_catalog.text[] <> '{}'
    UNION ALL
    SELECT '', t FROM pg_catalog.unnest($3::pg_catalog.text[]) AS t
), known (name, mends) AS (
    SELECT n, m FROM ROWS FROM (pg_catalog.unnest($1::pg_catalog.text[]), pg_catalog.unnest($2::pg_catalog.text[]))
        AS k (n, m)
), way (pattern, mends) AS (
    SELECT '\m(' || verb || ')\s+(or\s+replace\s+|(global|local|temp|temporary|unlogged)\s+)*(' || kind || ')', mends
    FROM (VALUES
        ('create|alter|drop', 'schema|sequence|%|''', '42P01 3F000'),
        -- its row's type and its constraints, too
        ('create|alter|drop', 'table|view|recursive|materialized|foreign', '42P01 3F000 42704'),
        ('alter|drop|create\s+or\s+replace', 'table|view|recursive|materialized|foreign|type', '42703'),
        ('create|alter|drop', 'function|procedure|routine|aggregate|operator|cast', '42883'),
        ('create|alter|drop', 'type|domain', '42704'),
        ('create|alter|drop', 'extension', '42P01 3F000 42883 42704')
    ) AS v (verb, kind, mends) WHERE $1::pg_catalog.text[] = '{}'
    UNION ALL
    SELECT pattern, mends FROM (VALUES
        ('\malter\M[^;]*\mtype\M', '42883 42704'),
        ('\mimport\s+foreign\s+schema\M', '42P01 42704'),
        ('\minto\s+(table|temp|temporary|unlogged)\M', '42P01 42704'),
        ('\msearch_path\M', '42P01 3F000 42703 42883 42704')
    ) AS v (pattern, mends) WHERE $1::pg_catalog.text[] = '{}'
    UNION ALL
    SELECT '\m(' || pg_catalog.string_agg(pg_catalog.regexp_replace(name, '(\W)', '\\\1', 'g'), '|') || ')\M', mends
    FROM known WHERE name <> '' GROUP BY mends
)
SELECT DISTINCT source.name, way.mends FROM source JOIN way ON source.text ~* way.pattern
WHERE NOT EXISTS (SELECT FROM known WHERE known.name = source.name AND known.mends = way.mends)
