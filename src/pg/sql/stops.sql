-- The functions that are to have stops between their statements (gates.sql), with what sql/stops.h needs to know: oid,
-- language, whether it is a trigger's, name, the text and what is before and after it in its definition. No row at all if something in the schema reads such texts.
--
-- Left out: functions that are not VOLATILE, whose statements all have one snapshot; those that may run in a parallel
-- worker, which can't count; those of extensions; a text that is an expression of the catalog (BEGIN ATOMIC, RETURN);
-- those that sleep, as they may ask again and again for what another session is to do: each time, a stop would say that
-- they go on.
SELECT p.oid, l.lanname, p.prorettype = 'pg_catalog.trigger'::pg_catalog.regtype,
       CASE WHEN n.nspname = 'public' THEN '' ELSE pg_catalog.quote_ident(n.nspname) || '.' END
           || pg_catalog.quote_ident(p.proname) || '()',
       pg_catalog.left(d.text, pg_catalog.length(d.text) - pg_catalog.length(p.prosrc) - pg_catalog.length(d.tail)),
       p.prosrc, d.tail, pg_catalog.md5(p.prosrc)
FROM pg_catalog.pg_proc AS p
JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
JOIN pg_catalog.pg_language AS l ON l.oid = p.prolang
CROSS JOIN LATERAL (SELECT t.text, pg_catalog.substring(t.text, '\$[a-z]+\$\n$') AS tail
                    FROM pg_catalog.pg_get_functiondef(p.oid) AS t (text) OFFSET 0) AS d
WHERE l.lanname IN ('plpgsql', 'sql') AND p.prokind IN ('f', 'p') AND p.provolatile = 'v' AND p.proparallel = 'u'
  AND p.prosqlbody IS NULL AND p.prosrc !~* '\mpg_sleep' AND p.prorettype <> 'pg_catalog.event_trigger'::pg_catalog.regtype
  AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
  AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend AS d
                  WHERE d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND d.objid = p.oid AND d.deptype = 'e')
  AND NOT EXISTS (SELECT FROM pg_catalog.pg_proc AS r
                  JOIN pg_catalog.pg_namespace AS s ON s.oid = r.pronamespace
                  WHERE s.nspname <> 'information_schema' AND s.nspname !~ '^pg_'
                    AND r.prosrc ~* '\m(prosrc|pg_get_functiondef|routine_definition)\M')
  AND NOT EXISTS (SELECT FROM pg_catalog.pg_views AS v
                  WHERE v.schemaname <> 'information_schema' AND v.schemaname !~ '^pg_'
                    AND v.definition ~* '\m(prosrc|pg_get_functiondef|routine_definition)\M')
ORDER BY p.oid
