-- What views and rules are defined by: the relation's oid, and the text. Not in free.sql, as these functions look for
-- operators on the search_path.
SELECT c.oid::pg_catalog.text,
       CASE WHEN w.ev_type = '1' THEN pg_catalog.pg_get_viewdef(c.oid) ELSE pg_catalog.pg_get_ruledef(w.oid) END
FROM pg_catalog.pg_rewrite AS w JOIN pg_catalog.pg_class AS c ON c.oid = w.ev_class
WHERE c.oid >= 16384
ORDER BY w.oid
