-- Single faults in what is granted on relations, columns, functions and schemas, for `pgfsm mutate`. Among them: whoever
-- holds anything gets what it lacks of every table, one privilege at a time. Left out:
--   * REFERENCES, TRIGGER and MAINTAIN, which are for definitions and maintenance;
--   * what the owner holds, what a new database grants (USAGE on the schema public), and grants that somebody has
--     passed on;
--   * default privileges, which are about objects that are still to be made.
-- Who has a privilege in another way depends on the roles of the server, so on another server `equivalent` may differ.
WITH schemas AS (
    SELECT n.oid, n.nspname, n.nspowner, n.nspacl, pg_catalog.quote_ident(n.nspname) || '.' AS prefix,
           CASE WHEN n.nspname = 'public' THEN '' ELSE pg_catalog.quote_ident(n.nspname) || '.' END AS shown
    FROM pg_catalog.pg_namespace AS n
    WHERE n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
), relations AS (
    SELECT c.oid, c.relowner, c.relacl, c.relkind = 'S' AS is_sequence, pg_catalog.quote_ident(c.relname) AS name,
           s.prefix, s.shown, s.oid AS schema, c.relkind, c.relispartition
    FROM pg_catalog.pg_class AS c
    JOIN schemas AS s ON s.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
), functions AS (
    SELECT p.oid, p.proowner, p.proacl, s.prefix, s.shown,
           CASE p.prokind WHEN 'p' THEN 'PROCEDURE' ELSE 'FUNCTION' END AS word,
           p.prorettype IN ('pg_catalog.trigger'::pg_catalog.regtype,
                            'pg_catalog.event_trigger'::pg_catalog.regtype) AS of_trigger,
           pg_catalog.format('%I(%s)', p.proname,
                             (SELECT pg_catalog.string_agg(pg_catalog.format_type(a.type, NULL), ',' ORDER BY a.n)
                              FROM pg_catalog.unnest(p.proargtypes::pg_catalog.oid[]) WITH ORDINALITY AS a (type, n))) AS name
    FROM pg_catalog.pg_proc AS p
    JOIN schemas AS s ON s.oid = p.pronamespace
), objects (class, oid, number, owner, word, sql, name, columns, of_trigger, acl) AS (
    SELECT 'pg_catalog.pg_class'::pg_catalog.regclass, r.oid, 0, r.relowner,
           CASE WHEN r.is_sequence THEN 'SEQUENCE' ELSE 'TABLE' END, r.prefix || r.name, r.shown || r.name, '', false,
           coalesce(r.relacl, pg_catalog.acldefault(CASE WHEN r.is_sequence THEN 's'::"char" ELSE 'r' END, r.relowner))
    FROM relations AS r
    UNION ALL
    SELECT 'pg_catalog.pg_class'::pg_catalog.regclass, r.oid, a.attnum, r.relowner, 'TABLE', r.prefix || r.name,
           r.shown || r.name, pg_catalog.format(' (%I)', a.attname), false, a.attacl
    FROM relations AS r
    JOIN pg_catalog.pg_attribute AS a ON a.attrelid = r.oid AND a.attacl IS NOT NULL
    WHERE NOT a.attisdropped
    UNION ALL
    SELECT 'pg_catalog.pg_proc'::pg_catalog.regclass, f.oid, 0, f.proowner, f.word, f.prefix || f.name,
           f.shown || pg_catalog.regexp_replace(f.name, '\mpublic\.', '', 'g'), '', f.of_trigger,
           coalesce(f.proacl, pg_catalog.acldefault('f', f.proowner))
    FROM functions AS f
    UNION ALL
    SELECT 'pg_catalog.pg_namespace'::pg_catalog.regclass, s.oid, 0, s.nspowner, 'SCHEMA',
           pg_catalog.quote_ident(s.nspname), pg_catalog.quote_ident(s.nspname), '', false,
           coalesce(s.nspacl, pg_catalog.acldefault('n', s.nspowner))
    FROM schemas AS s
), entries AS (
    SELECT o.*, a.privilege_type || o.columns AS privilege, a.privilege_type, a.grantee, a.is_grantable,
           a.grantor,
           CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE pg_catalog.quote_ident(pg_catalog.pg_get_userbyid(a.grantee)) END AS receiver,
           CASE o.word WHEN 'SCHEMA' THEN 'schema ' ELSE '' END || o.name AS place,
           CASE o.word WHEN 'TABLE' THEN '' ELSE o.word || ' ' END || o.name AS shown
    FROM objects AS o
    CROSS JOIN pg_catalog.aclexplode(o.acl) AS a
    WHERE a.privilege_type NOT IN ('REFERENCES', 'TRIGGER', 'MAINTAIN')
      AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend AS d
                      WHERE d.classid = o.class AND d.objid = o.oid AND d.deptype = 'e')
), roles AS (
    SELECT r.oid FROM pg_catalog.pg_roles AS r WHERE NOT r.rolsuper AND r.rolname !~ '^pg_'
), held AS ( -- who has what by which entry, and by how many
    SELECT r.oid AS role, e.class, e.oid, e.number, e.privilege_type, e.grantee, e.word,
           pg_catalog.count(*) OVER (PARTITION BY r.oid, e.class, e.oid, e.number, e.privilege_type) AS ways
    FROM entries AS e
    JOIN roles AS r ON CASE e.grantee WHEN 0 THEN true ELSE pg_catalog.pg_has_role(r.oid, e.grantee, 'USAGE') END
), needed AS ( -- entries without which somebody would have less
    SELECT DISTINCT h.class, h.oid, h.number, h.privilege_type, h.grantee
    FROM held AS h
    WHERE h.ways = 1
      AND (h.number = 0
           OR NOT EXISTS (SELECT FROM held AS t
                          WHERE t.role = h.role AND t.class = h.class AND t.oid = h.oid AND t.number = 0
                            AND t.privilege_type = h.privilege_type))
      -- Who may read and set a sequence may do all that USAGE is for.
      AND NOT (h.word = 'SEQUENCE' AND h.privilege_type = 'USAGE'
               AND (SELECT pg_catalog.count(DISTINCT t.privilege_type) = 2 FROM held AS t
                    WHERE t.role = h.role AND t.class = h.class AND t.oid = h.oid
                      AND t.privilege_type IN ('SELECT', 'UPDATE')))
), holders AS (
    SELECT h.class, h.oid, h.number, h.privilege_type, pg_catalog.count(DISTINCT h.role) AS count
    FROM (SELECT t.class, t.oid, t.number, t.privilege_type, t.role FROM held AS t
          UNION ALL -- a table's privilege is one for its columns
          SELECT o.class, o.oid, o.number, t.privilege_type, t.role
          FROM objects AS o
          JOIN held AS t ON t.class = o.class AND t.oid = o.oid AND t.number = 0
          WHERE o.number > 0) AS h
    GROUP BY h.class, h.oid, h.number, h.privilege_type
), grants AS (
    SELECT e.*
    FROM entries AS e
    WHERE e.grantee <> e.owner AND e.grantor = e.owner
      AND NOT EXISTS (SELECT FROM pg_catalog.pg_init_privs AS i
                      CROSS JOIN pg_catalog.aclexplode(i.initprivs) AS a
                      WHERE i.classoid = e.class AND i.objoid = e.oid AND i.objsubid = e.number
                        AND a.grantee = e.grantee AND a.privilege_type = e.privilege_type)
), to_public AS ( -- what PUBLIC does not have
    SELECT e.class, e.oid, e.number, e.privilege_type, e.privilege, e.word, e.sql, e.name, e.place, e.shown, e.of_trigger,
           pg_catalog.string_agg(e.receiver, ', ' ORDER BY e.receiver COLLATE "C") FILTER (WHERE e.grantee <> e.owner) AS receivers
    FROM entries AS e
    GROUP BY e.class, e.oid, e.number, e.privilege_type, e.privilege, e.word, e.sql, e.name, e.place, e.shown, e.of_trigger
    HAVING NOT pg_catalog.bool_or(e.grantee = 0)
       AND (pg_catalog.bool_or(e.grantee <> e.owner) OR e.privilege_type = 'EXECUTE')
), of_columns AS ( -- the columns of a table that somebody has the same privilege for, but not for the table
    SELECT g.oid, g.privilege_type, g.sql, g.name, g.grantee, g.receiver,
           pg_catalog.string_agg(pg_catalog.quote_ident(a.attname), ', ' ORDER BY a.attnum) AS columns
    FROM grants AS g
    JOIN pg_catalog.pg_attribute AS a ON a.attrelid = g.oid AND a.attnum = g.number
    WHERE g.class = 'pg_catalog.pg_class'::pg_catalog.regclass AND g.number > 0
    GROUP BY g.oid, g.privilege_type, g.sql, g.name, g.grantee, g.receiver
), widened AS (
    SELECT r.oid, r.prefix || r.name AS sql, r.shown || r.name AS name, pg_catalog.quote_ident(u.rolname) AS receiver, p.privilege
    FROM (SELECT DISTINCT g.grantee FROM grants AS g) AS g
    JOIN pg_catalog.pg_roles AS u ON u.oid = g.grantee AND NOT u.rolsuper
    JOIN relations AS r ON r.relkind IN ('r', 'p', 'v') AND NOT r.relispartition
    CROSS JOIN (VALUES ('SELECT', true), ('INSERT', true), ('UPDATE', true), ('DELETE', false), ('TRUNCATE', false))
               AS p (privilege, of_columns)
    WHERE pg_catalog.has_schema_privilege(u.oid, r.schema, 'USAGE')
      AND NOT CASE WHEN p.of_columns THEN pg_catalog.has_any_column_privilege(u.oid, r.oid, p.privilege)
                   ELSE pg_catalog.has_table_privilege(u.oid, r.oid, p.privilege) END
      AND (r.relkind <> 'v' OR p.privilege = 'SELECT')
      AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend AS d
                      WHERE d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objid = r.oid AND d.deptype = 'e')
), found (operator, object, relation, was, becomes, ddl, equivalent) AS (
    SELECT 'revoke', g.privilege || ' on ' || g.place || ' to ' || g.receiver, g.name,
           pg_catalog.format('GRANT %s ON %s TO %s', g.privilege, g.shown, g.receiver), '',
           pg_catalog.format('REVOKE %s ON %s %s FROM %s', g.privilege, g.word, g.sql, g.receiver)
           -- With the table's privilege go those of its columns.
           || coalesce((SELECT pg_catalog.format('; GRANT %s (%s) ON TABLE %s TO %s', c.privilege_type, c.columns, c.sql, c.receiver)
                        FROM of_columns AS c
                        WHERE g.class = 'pg_catalog.pg_class'::pg_catalog.regclass AND g.number = 0 AND c.oid = g.oid
                          AND c.privilege_type = g.privilege_type AND c.grantee = g.grantee), ''),
           CASE WHEN g.of_trigger THEN 'whoever fires a trigger needs no privilege for its function'
                WHEN n.grantee IS NULL AND NOT g.is_grantable
                THEN 'every role has it without this grant' END
    FROM grants AS g
    LEFT JOIN needed AS n ON n.class = g.class AND n.oid = g.oid AND n.number = g.number
                         AND n.privilege_type = g.privilege_type AND n.grantee = g.grantee
    WHERE NOT EXISTS (SELECT FROM entries AS e -- passed on
                      WHERE e.class = g.class AND e.oid = g.oid AND e.privilege_type = g.privilege_type
                        AND e.grantor = g.grantee)
    UNION ALL
    SELECT 'grant-to-public', p.privilege || ' on ' || p.place, p.name,
           coalesce(pg_catalog.format('GRANT %s ON %s TO ', p.privilege, p.shown) || p.receivers, ''),
           pg_catalog.format('GRANT %s ON %s TO PUBLIC', p.privilege, p.shown),
           pg_catalog.format('GRANT %s ON %s %s TO PUBLIC', p.privilege, p.word, p.sql),
           CASE WHEN p.of_trigger THEN 'whoever fires a trigger needs no privilege for its function'
                WHEN coalesce(h.count, 0) = (SELECT pg_catalog.count(*) FROM roles)
                THEN 'every role has it' END
    FROM to_public AS p
    LEFT JOIN holders AS h ON h.class = p.class AND h.oid = p.oid AND h.number = p.number
                          AND h.privilege_type = p.privilege_type
    UNION ALL
    SELECT 'grant-whole-table', pg_catalog.format('%s (%s) on %s to %s', c.privilege_type, c.columns, c.name, c.receiver),
           c.name, pg_catalog.format('GRANT %s (%s) ON %s TO %s', c.privilege_type, c.columns, c.name, c.receiver),
           pg_catalog.format('GRANT %s ON %s TO %s', c.privilege_type, c.name, c.receiver),
           pg_catalog.format('GRANT %s ON TABLE %s TO %s', c.privilege_type, c.sql, c.receiver),
           CASE WHEN NOT EXISTS (
                    SELECT FROM roles AS r
                    WHERE CASE c.grantee WHEN 0 THEN true ELSE pg_catalog.pg_has_role(r.oid, c.grantee, 'USAGE') END
                      AND NOT EXISTS (SELECT FROM held AS h
                                      WHERE h.role = r.oid AND h.class = 'pg_catalog.pg_class'::pg_catalog.regclass
                                        AND h.oid = c.oid AND h.number = 0 AND h.privilege_type = c.privilege_type))
                THEN 'every role has it' END
    FROM of_columns AS c
    WHERE NOT EXISTS (SELECT FROM grants AS g
                      WHERE g.class = 'pg_catalog.pg_class'::pg_catalog.regclass AND g.oid = c.oid AND g.number = 0
                        AND g.privilege_type = c.privilege_type AND g.grantee = c.grantee)
      -- That one is made already.
      AND NOT (c.grantee = 0
               AND EXISTS (SELECT FROM to_public AS p
                           WHERE p.class = 'pg_catalog.pg_class'::pg_catalog.regclass AND p.oid = c.oid AND p.number = 0
                             AND p.privilege_type = c.privilege_type))
    UNION ALL
    SELECT 'grant-' || pg_catalog.lower(w.privilege), w.privilege || ' on ' || w.name || ' to ' || w.receiver, w.name, '',
           pg_catalog.format('GRANT %s ON %s TO %s', w.privilege, w.name, w.receiver),
           pg_catalog.format('GRANT %s ON TABLE %s TO %s', w.privilege, w.sql, w.receiver), NULL
    FROM widened AS w
)
SELECT operator::pg_catalog.text, 'grant'::pg_catalog.text AS kind, object::pg_catalog.text, relation::pg_catalog.text,
       was::pg_catalog.text, becomes::pg_catalog.text, ddl::pg_catalog.text, equivalent::pg_catalog.text
FROM found
ORDER BY object COLLATE "C", operator COLLATE "C", becomes COLLATE "C"
