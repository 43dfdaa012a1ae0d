-- Tables that a session can write to and that have no gate (gates.sql): their names, up to five, and how many they are.
-- What a table of an extension or a temporary one lacks is in the manual; a part has the gates of its whole.
SELECT pg_catalog.string_agg(name, ', ' ORDER BY name) FILTER (WHERE n OPERATOR(pg_catalog.<=) 5)
           OPERATOR(pg_catalog.||) CASE WHEN pg_catalog.count(*) OPERATOR(pg_catalog.>) 5 THEN ', …' ELSE '' END,
       pg_catalog.count(*)
FROM (SELECT c.oid::pg_catalog.regclass::pg_catalog.text AS name, pg_catalog.row_number() OVER (ORDER BY c.oid) AS n
      FROM pg_catalog.pg_class AS c
      JOIN pg_catalog.pg_namespace AS s ON s.oid OPERATOR(pg_catalog.=) c.relnamespace
      WHERE c.relkind OPERATOR(pg_catalog.=) ANY (ARRAY['r', 'p']::pg_catalog."char"[])
        AND c.relpersistence OPERATOR(pg_catalog.<>) 't' AND NOT c.relispartition
        AND s.nspname OPERATOR(pg_catalog.<>) 'information_schema' AND s.nspname OPERATOR(pg_catalog.!~) '^pg_'
        AND NOT EXISTS (SELECT FROM pg_catalog.pg_trigger AS t
                        WHERE t.tgrelid OPERATOR(pg_catalog.=) c.oid
                          AND t.tgfoid OPERATOR(pg_catalog.=) 'pg_pgfsm.gate'::pg_catalog.regproc)
        AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend AS d
                        WHERE d.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_class'::pg_catalog.regclass
                          AND d.objid OPERATOR(pg_catalog.=) c.oid AND d.deptype OPERATOR(pg_catalog.=) 'e')) AS tables
