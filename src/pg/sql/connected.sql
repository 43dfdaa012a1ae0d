-- The settings of the database and of the role, as a new connection has them. It runs with any search_path, and may set
-- it: so it names its operators.
SELECT pg_catalog.set_config(s.name, s.value, true)
FROM (SELECT DISTINCT ON (pg_catalog.lower(a.name)) a.name, a.value
      FROM pg_catalog.pg_db_role_setting AS r
      CROSS JOIN pg_catalog.unnest(r.setconfig) AS c (text)
      CROSS JOIN LATERAL (SELECT pg_catalog.split_part(c.text, '=', 1),
                                 pg_catalog.substr(c.text, pg_catalog.strpos(c.text, '=') OPERATOR(pg_catalog.+) 1))
                 AS a (name, value)
      WHERE r.setdatabase OPERATOR(pg_catalog.=) ANY (ARRAY[
                0::pg_catalog.oid, (SELECT d.oid FROM pg_catalog.pg_database AS d
                                    WHERE d.datname OPERATOR(pg_catalog.=) pg_catalog.current_database())])
        AND r.setrole OPERATOR(pg_catalog.=) ANY (ARRAY[
                0::pg_catalog.oid, (SELECT u.oid FROM pg_catalog.pg_roles AS u
                                    WHERE u.rolname OPERATOR(pg_catalog.=) session_user)])
      ORDER BY pg_catalog.lower(a.name), r.setrole DESC, r.setdatabase DESC) AS s
LEFT JOIN pg_catalog.pg_settings AS g ON g.name OPERATOR(pg_catalog.=) pg_catalog.lower(s.name)
JOIN pg_catalog.pg_roles AS u ON u.rolname OPERATOR(pg_catalog.=) session_user
WHERE CASE WHEN g.context OPERATOR(pg_catalog.=) 'user' THEN g.source OPERATOR(pg_catalog.<>) 'client'
           WHEN g.context OPERATOR(pg_catalog.=) 'superuser'
               THEN g.source OPERATOR(pg_catalog.<>) 'client' AND u.rolsuper
           ELSE g.name IS NULL END
  AND g.name OPERATOR(pg_catalog.=) 'client_encoding' IS NOT TRUE -- the client's, whoever has set it
  AND coalesce(pg_catalog.current_setting(s.name, true) OPERATOR(pg_catalog.<>) s.value, true)
ORDER BY s.name OPERATOR(pg_catalog.=) 'role';
