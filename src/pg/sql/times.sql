-- Texts in which times, intervals and names of time zones stand: functions, views and policies of the schema, and the
-- time zones that functions set. literals.sql has the others. Only for machines with a clock, as more values that are
-- worth drawing change what is drawn.
WITH own AS (
    SELECT n.oid FROM pg_catalog.pg_namespace AS n
    WHERE n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
), found AS (
    SELECT 'expression' AS kind,
           CASE p.prosrc WHEN '' THEN pg_catalog.pg_get_function_sqlbody(p.oid) ELSE p.prosrc END AS text
    FROM pg_catalog.pg_proc AS p
    JOIN pg_catalog.pg_language AS l ON l.oid = p.prolang
    WHERE p.pronamespace IN (SELECT oid FROM own) AND l.lanname IN ('sql', 'plpgsql')
    UNION
    SELECT 'label', pg_catalog.substr(s.setting, pg_catalog.strpos(s.setting, '=') + 1)
    FROM pg_catalog.pg_proc AS p, pg_catalog.unnest(p.proconfig) AS s (setting)
    WHERE p.pronamespace IN (SELECT oid FROM own) AND s.setting ILIKE 'timezone=%'
    UNION
    SELECT 'expression', pg_catalog.pg_get_viewdef(c.oid)
    FROM pg_catalog.pg_class AS c
    WHERE c.relkind IN ('v', 'm') AND c.relnamespace IN (SELECT oid FROM own)
    UNION
    SELECT 'expression', pg_catalog.concat_ws(' ', pg_catalog.pg_get_expr(p.polqual, p.polrelid),
                                              pg_catalog.pg_get_expr(p.polwithcheck, p.polrelid))
    FROM pg_catalog.pg_policy AS p
    JOIN pg_catalog.pg_class AS c ON c.oid = p.polrelid
    WHERE c.relnamespace IN (SELECT oid FROM own)
)
SELECT kind, text FROM found ORDER BY kind COLLATE "C", text COLLATE "C" LIMIT 2000
