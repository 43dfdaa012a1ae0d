-- Single faults in what a function or procedure is declared as, for `pgfsm mutate`; its body is not looked at. Left
-- out: a volatility that promises less (IMMUTABLE made STABLE), which changes no result; COST, ROWS, PARALLEL and
-- LEAKPROOF, which are about plans; SUPPORT; aggregates.
-- Who may call a function depends on the roles of the server, so on another server `equivalent` may differ.
WITH functions AS (
    SELECT p.oid, p.proowner, p.prosecdef, p.proisstrict, p.provolatile, p.proretset, p.prokind, p.pronargs, p.proconfig,
           p.prorettype IN ('pg_catalog.trigger'::pg_catalog.regtype,
                            'pg_catalog.event_trigger'::pg_catalog.regtype) AS of_trigger,
           f.word, f.sql, CASE WHEN n.nspname = 'public' THEN '' ELSE pg_catalog.quote_ident(n.nspname) || '.' END
                          || pg_catalog.regexp_replace(f.signature, '\mpublic\.', '', 'g') AS name
    FROM pg_catalog.pg_proc AS p
    JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
    CROSS JOIN LATERAL (
        SELECT CASE p.prokind WHEN 'p' THEN 'PROCEDURE' ELSE 'FUNCTION' END AS word, s.signature,
               pg_catalog.quote_ident(n.nspname) || '.' || s.signature AS sql
        FROM (SELECT pg_catalog.format(
                         '%I(%s)', p.proname,
                         (SELECT pg_catalog.string_agg(pg_catalog.format_type(a.type, NULL), ',' ORDER BY a.n)
                          FROM pg_catalog.unnest(p.proargtypes::pg_catalog.oid[]) WITH ORDINALITY AS a (type, n))) AS signature) AS s
    ) AS f
    WHERE p.prokind <> 'a' AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
      AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend AS d
                      WHERE d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND d.objid = p.oid
                        AND d.deptype = 'e')
), settings AS (
    SELECT f.oid, c.n, quoted.name, pg_catalog.format('SET %s TO %s', quoted.name, c.value) AS clause
    FROM functions AS f
    CROSS JOIN LATERAL (
        SELECT s.n, pg_catalog.split_part(s.setting, '=', 1) AS name,
               pg_catalog.substr(s.setting, pg_catalog.strpos(s.setting, '=') + 1) AS value
        FROM pg_catalog.unnest(f.proconfig) WITH ORDINALITY AS s (setting, n)
    ) AS c
    CROSS JOIN LATERAL (
        SELECT pg_catalog.string_agg(pg_catalog.quote_ident(w.word), '.' ORDER BY w.n) AS name
        FROM pg_catalog.unnest(pg_catalog.string_to_array(c.name, '.')) WITH ORDINALITY AS w (word, n)
    ) AS quoted
), changed (operator, oid, was, becomes, clause, equivalent) AS (
    SELECT CASE WHEN f.prosecdef THEN 'security-invoker' ELSE 'security-definer' END, f.oid,
           CASE WHEN f.prosecdef THEN 'SECURITY DEFINER' ELSE 'SECURITY INVOKER' END,
           CASE WHEN f.prosecdef THEN 'SECURITY INVOKER' ELSE 'SECURITY DEFINER' END,
           CASE WHEN f.prosecdef THEN 'SECURITY INVOKER' ELSE 'SECURITY DEFINER' END,
           CASE WHEN NOT EXISTS (SELECT FROM pg_catalog.pg_roles AS r
                                 WHERE r.oid <> f.proowner AND r.rolname !~ '^pg_'
                                   AND (f.of_trigger OR pg_catalog.has_function_privilege(r.oid, f.oid, 'EXECUTE')))
                THEN 'nobody but its owner may run it' END
    FROM functions AS f
    UNION ALL
    SELECT CASE WHEN f.proisstrict THEN 'not-strict' ELSE 'strict' END, f.oid,
           CASE WHEN f.proisstrict THEN 'STRICT' ELSE 'CALLED ON NULL INPUT' END,
           CASE WHEN f.proisstrict THEN 'CALLED ON NULL INPUT' ELSE 'STRICT' END,
           CASE WHEN f.proisstrict THEN 'CALLED ON NULL INPUT' ELSE 'STRICT' END,
           CASE WHEN f.pronargs = 0 THEN 'it has no arguments' END
    FROM functions AS f
    WHERE f.prokind <> 'p'
    UNION ALL
    SELECT CASE f.provolatile WHEN 'v' THEN 'stable' ELSE 'immutable' END, f.oid,
           CASE f.provolatile WHEN 'v' THEN 'VOLATILE' ELSE 'STABLE' END,
           CASE f.provolatile WHEN 'v' THEN 'STABLE' ELSE 'IMMUTABLE' END,
           CASE f.provolatile WHEN 'v' THEN 'STABLE' ELSE 'IMMUTABLE' END,
           CASE WHEN f.provolatile = 's' AND f.proretset THEN 'a call that returns rows is never made beforehand' END
    FROM functions AS f
    WHERE f.prokind <> 'p' AND f.provolatile <> 'i'
    UNION ALL
    SELECT 'drop-set', f.oid,
           (SELECT pg_catalog.string_agg(k.clause, ' ' ORDER BY k.n) FROM settings AS k WHERE k.oid = f.oid),
           (SELECT coalesce(pg_catalog.string_agg(k.clause, ' ' ORDER BY k.n), '') FROM settings AS k
            WHERE k.oid = f.oid AND k.n <> s.n),
           'RESET ' || s.name, NULL
    FROM functions AS f
    JOIN settings AS s ON s.oid = f.oid
    UNION ALL -- without pg_temp, temporary tables of the caller come first
    SELECT 'search-path-without-temp', f.oid, s.clause, t.clause, t.clause,
           CASE WHEN NOT EXISTS (SELECT FROM pg_catalog.pg_roles AS r
                                 WHERE r.oid <> f.proowner AND NOT r.rolsuper AND r.rolname !~ '^pg_'
                                   AND pg_catalog.has_database_privilege(r.oid, pg_catalog.current_database(), 'TEMP')
                                   AND (f.of_trigger OR pg_catalog.has_function_privilege(r.oid, f.oid, 'EXECUTE')))
                THEN 'nobody but its owner may run it and make temporary tables' END
    FROM functions AS f
    JOIN settings AS s ON s.oid = f.oid
    CROSS JOIN LATERAL (SELECT pg_catalog.regexp_replace(s.clause, ', *"?pg_temp"?$', '') AS clause) AS t
    WHERE f.prosecdef AND s.name = 'search_path' AND t.clause <> s.clause
), found AS (
    SELECT c.operator, f.name, c.was, c.becomes, pg_catalog.format('ALTER %s %s %s', f.word, f.sql, c.clause) AS ddl,
           c.equivalent
    FROM changed AS c
    JOIN functions AS f ON f.oid = c.oid
)
SELECT operator::pg_catalog.text, 'function'::pg_catalog.text AS kind, name::pg_catalog.text AS object,
       name::pg_catalog.text AS relation, was::pg_catalog.text, becomes::pg_catalog.text, ddl::pg_catalog.text,
       equivalent::pg_catalog.text
FROM found
ORDER BY name COLLATE "C", operator COLLATE "C", becomes COLLATE "C"
