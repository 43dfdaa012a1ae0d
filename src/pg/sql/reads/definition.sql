-- Of the functions $1, which are in SQL, in their order: its OID; how it would be defined under the name pgfsm_reads so that
-- the server parses its text, or NULL where the body is stored as the parser left it; whose rights it has, and which search_path, or NULL: those of its caller.
SELECT p.oid, CASE WHEN p.prosqlbody IS NULL THEN
       'CREATE FUNCTION pg_temp.pgfsm_reads(' || COALESCE((
           SELECT pg_catalog.string_agg(CASE mode WHEN 'o' THEN 'OUT ' WHEN 't' THEN 'OUT ' WHEN 'b' THEN 'INOUT ' ELSE 'IN ' END
               || COALESCE(pg_catalog.quote_ident(NULLIF(name, '')) || ' ', '')
               || pg_catalog.format('%I.%I', n.nspname, t.typname), ', ' ORDER BY number)
           FROM ROWS FROM (pg_catalog.unnest(COALESCE(p.proallargtypes, p.proargtypes::pg_catalog.oid[])),
                           pg_catalog.unnest(p.proargmodes), pg_catalog.unnest(p.proargnames))
                WITH ORDINALITY AS a (type, mode, name, number)
           JOIN pg_catalog.pg_type AS t ON t.oid = a.type JOIN pg_catalog.pg_namespace AS n ON n.oid = t.typnamespace), '')
       || ') RETURNS ' || CASE WHEN p.proretset THEN 'SETOF ' ELSE '' END
       || (SELECT pg_catalog.format('%I.%I', n.nspname, t.typname) FROM pg_catalog.pg_type AS t
           JOIN pg_catalog.pg_namespace AS n ON n.oid = t.typnamespace WHERE t.oid = p.prorettype)
       || ' LANGUAGE sql BEGIN ATOMIC ' || p.prosrc || E'\n; END' END,
       CASE WHEN p.prosecdef THEN pg_catalog.pg_get_userbyid(p.proowner) END,
       (SELECT pg_catalog.substr(s, 13) FROM pg_catalog.unnest(p.proconfig) AS s WHERE s LIKE 'search\_path=%')
FROM pg_catalog.unnest($1::pg_catalog.oid[]) WITH ORDINALITY AS a (id, number)
JOIN pg_catalog.pg_proc AS p ON p.oid = a.id ORDER BY a.number
