-- What belongs to the database $1 and a copy does not get from it, as statements that give it to the database $2:
-- owner, grants, settings, comment, security labels, limits. NULL: nothing. They run in one transaction.
WITH source AS (
    SELECT d.*, pg_catalog.pg_get_userbyid(d.datdba) AS owner, $2::pg_catalog.text AS copy
    FROM pg_catalog.pg_database AS d WHERE d.datname = $1
), grants AS (
    SELECT pg_catalog.format('GRANT %s ON DATABASE %I TO %s%s', a.privilege_type, s.copy,
                             CASE a.grantee WHEN 0 THEN 'PUBLIC'
                                            ELSE pg_catalog.quote_ident(pg_catalog.pg_get_userbyid(a.grantee)) END,
                             CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION' END) AS sql,
           a.grantor = s.datdba AS own, pg_catalog.pg_get_userbyid(a.grantor) AS grantor, a.number
    FROM source AS s CROSS JOIN pg_catalog.aclexplode(s.datacl)
        WITH ORDINALITY AS a (grantor, grantee, privilege_type, is_grantable, number)
), settings AS (
    SELECT CASE WHEN s.setrole = 0 THEN pg_catalog.format('ALTER DATABASE %I', source.copy)
                ELSE pg_catalog.format('ALTER ROLE %I IN DATABASE %I', pg_catalog.pg_get_userbyid(s.setrole), source.copy)
                END AS alter,
           pg_catalog.split_part(c.text, '=', 1) AS name,
           pg_catalog.substr(c.text, pg_catalog.strpos(c.text, '=') + 1) AS value
    FROM source JOIN pg_catalog.pg_db_role_setting AS s ON s.setdatabase = source.oid
    CROSS JOIN pg_catalog.unnest(s.setconfig) AS c (text)
), statement (place, number, sql) AS (
    SELECT 1, 0, pg_catalog.format('ALTER DATABASE %I OWNER TO %I', s.copy, s.owner)
    FROM source AS s JOIN pg_catalog.pg_database AS d ON d.datname = s.copy WHERE d.datdba <> s.datdba
    UNION ALL
    SELECT 2, 0, pg_catalog.format('REVOKE ALL ON DATABASE %I FROM PUBLIC, %I', s.copy, s.owner)
    FROM source AS s WHERE s.datacl IS NOT NULL
    UNION ALL
    SELECT 3, g.number, g.sql FROM grants AS g WHERE g.own
    UNION ALL
    SELECT 4, g.number, pg_catalog.format('SET LOCAL ROLE %I; %s; RESET ROLE', g.grantor, g.sql)
    FROM grants AS g WHERE NOT g.own
    UNION ALL
    -- The value of a list of names is one already, and would be taken for a single name (pg_dump knows the same four).
    SELECT 5, 0,
           CASE WHEN pg_catalog.lower(s.name) IN ('search_path', 'temp_tablespaces', 'local_preload_libraries',
                                                  'session_preload_libraries')
                THEN pg_catalog.format('SELECT pg_catalog.set_config(%L, %L, true); %s SET %I FROM CURRENT',
                                       s.name, s.value, s.alter, s.name)
                ELSE pg_catalog.format('%s SET %I TO %L', s.alter, s.name, s.value) END
    FROM settings AS s
    UNION ALL
    SELECT 6, 0, pg_catalog.format('COMMENT ON DATABASE %I IS %L', s.copy, c.text)
    FROM source AS s CROSS JOIN pg_catalog.shobj_description(s.oid, 'pg_database') AS c (text)
    WHERE c.text IS NOT NULL
    UNION ALL
    SELECT 7, 0, pg_catalog.format('SECURITY LABEL FOR %I ON DATABASE %I IS %L', l.provider, s.copy, l.label)
    FROM source AS s JOIN pg_catalog.pg_shseclabel AS l
        ON l.objoid = s.oid AND l.classoid = 'pg_catalog.pg_database'::pg_catalog.regclass
    UNION ALL
    SELECT 8, 0, pg_catalog.format('ALTER DATABASE %I CONNECTION LIMIT %s IS_TEMPLATE %s', s.copy, s.datconnlimit,
                                   s.datistemplate::pg_catalog.text)
    FROM source AS s WHERE s.datconnlimit <> -1 OR s.datistemplate
)
SELECT pg_catalog.string_agg(s.sql, '; ' ORDER BY s.place, s.number) FROM statement AS s
