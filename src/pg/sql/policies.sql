-- For every table with policies and every user of $1: whether the user escapes them (manual, section
-- 5.8, "Row Security Policies"), and by what.
SELECT c.relname, pg_catalog.format('%I.%I', n.nspname, c.relname), u.number,
       CASE WHEN r.rolsuper THEN 'a superuser'
            WHEN r.rolbypassrls THEN 'with BYPASSRLS'
            WHEN pg_catalog.pg_has_role(r.oid, c.relowner, 'USAGE') AND NOT c.relforcerowsecurity
            THEN 'its owner, without FORCE ROW LEVEL SECURITY'
       END
FROM pg_catalog.pg_class AS c
JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
CROSS JOIN pg_catalog.unnest($1::pg_catalog.text[]) WITH ORDINALITY AS u (name, number)
JOIN pg_catalog.pg_roles AS r ON r.rolname = u.name
WHERE c.relrowsecurity
ORDER BY (pg_catalog.format('%I.%I', n.nspname, c.relname)) COLLATE "C", u.number
