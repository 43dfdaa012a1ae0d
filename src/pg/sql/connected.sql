-- The settings of the database and of the role, as a new connection has them.
SELECT pg_catalog.set_config(s.name, s.value, true)
FROM (SELECT DISTINCT ON (pg_catalog.lower(a.name)) a.name, a.value
      FROM pg_catalog.pg_db_role_setting AS r
      CROSS JOIN pg_catalog.unnest(r.setconfig) AS c (text)
      CROSS JOIN LATERAL (SELECT pg_catalog.split_part(c.text, '=', 1),
                                 pg_catalog.substr(c.text, pg_catalog.strpos(c.text, '=') + 1)) AS a (name, value)
      WHERE r.setdatabase IN (0, (SELECT d.oid FROM pg_catalog.pg_database AS d
                                  WHERE d.datname = pg_catalog.current_database()))
        AND r.setrole IN (0, (SELECT u.oid FROM pg_catalog.pg_roles AS u WHERE u.rolname = session_user))
      ORDER BY pg_catalog.lower(a.name), r.setrole <> 0 DESC, r.setdatabase <> 0 DESC) AS s
LEFT JOIN pg_catalog.pg_settings AS g ON g.name = pg_catalog.lower(s.name)
JOIN pg_catalog.pg_roles AS u ON u.rolname = session_user
WHERE CASE g.context WHEN 'user' THEN g.source <> 'client'
                     WHEN 'superuser' THEN g.source <> 'client' AND u.rolsuper
                     ELSE g.name IS NULL END
  AND pg_catalog.current_setting(s.name, true) IS DISTINCT FROM s.value
ORDER BY s.name = 'role';
