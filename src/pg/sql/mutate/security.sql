-- Single faults in row level security and in the options of views, for `pgfsm mutate`. A policy that has no WITH CHECK
-- checks new rows by its USING: where one of the two is changed the other one stays, so each mutant is about reading or
-- about writing. Left out:
--   * what is the same as the policy dropped: one that has only one of the two, permissive and made false, or
--     restrictive and made true;
--   * a view made a security barrier, which changes nothing but the order of evaluation;
--   * row level security turned on where nobody that policies apply to may use the table.
-- Who may use a table depends on the roles of the server, so on another server `equivalent` may differ.
WITH relations AS (
    SELECT c.oid, c.relkind, c.relowner, c.relrowsecurity, c.relforcerowsecurity, c.reloptions,
           pg_catalog.format('%I.%I', n.nspname, c.relname) AS sql,
           CASE WHEN n.nspname = 'public' THEN pg_catalog.quote_ident(c.relname)
                ELSE pg_catalog.format('%I.%I', n.nspname, c.relname) END AS name
    FROM pg_catalog.pg_class AS c
    JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'v') AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
      AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend AS d
                      WHERE d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objid = c.oid
                        AND d.deptype = 'e')
), users AS ( -- who may read or write a relation, besides superusers; `may` has the letters of pg_policy.polcmd
    SELECT *
    FROM (
        SELECT t.oid AS relid, r.oid, r.rolbypassrls,
               pg_catalog.pg_has_role(r.oid, t.relowner, 'USAGE') AS as_owner,
               pg_catalog.concat(CASE WHEN pg_catalog.has_any_column_privilege(r.oid, t.oid, 'SELECT') THEN 'r' END,
                                 CASE WHEN pg_catalog.has_any_column_privilege(r.oid, t.oid, 'INSERT') THEN 'a' END,
                                 CASE WHEN pg_catalog.has_any_column_privilege(r.oid, t.oid, 'UPDATE') THEN 'w' END,
                                 CASE WHEN pg_catalog.has_table_privilege(r.oid, t.oid, 'DELETE') THEN 'd' END) AS may
        FROM relations AS t
        CROSS JOIN pg_catalog.pg_roles AS r
        WHERE NOT r.rolsuper AND r.rolname !~ '^pg_'
    ) AS u
    WHERE u.may <> ''
), subjects AS ( -- and those of them whom policies hold for
    SELECT u.relid, u.oid, u.may
    FROM users AS u
    JOIN relations AS t ON t.oid = u.relid
    WHERE NOT u.rolbypassrls AND (t.relforcerowsecurity OR NOT u.as_owner)
), policies AS (
    SELECT p.oid, p.polname, p.polcmd, p.polpermissive, p.polroles, t.name AS relation, t.sql,
           pg_catalog.format('%I ON %s', p.polname, t.sql) AS target,
           pg_catalog.quote_ident(p.polname) || ' on ' || t.name AS object,
           pg_catalog.pg_get_expr(p.polqual, p.polrelid, true) AS reads,
           pg_catalog.pg_get_expr(p.polwithcheck, p.polrelid, true) AS writes,
           p.polcmd IN ('*', 'w') AS has_both,
           (SELECT pg_catalog.string_agg(
                       CASE r.oid WHEN 0 THEN 'PUBLIC' ELSE pg_catalog.quote_ident(pg_catalog.pg_get_userbyid(r.oid)) END,
                       ', ' ORDER BY pg_catalog.pg_get_userbyid(r.oid) COLLATE "C")
            FROM pg_catalog.unnest(p.polroles) AS r (oid)) AS roles,
           CASE p.polcmd WHEN '*' THEN 'rawd' ELSE p.polcmd::pg_catalog.text END AS commands, t.relrowsecurity
    FROM pg_catalog.pg_policy AS p
    JOIN relations AS t ON t.oid = p.polrelid
), concerned AS ( -- whom a policy holds for, and whom it does not
    SELECT p.oid, s.may,
           EXISTS (SELECT FROM pg_catalog.unnest(p.polroles) AS r (oid)
                   WHERE CASE r.oid WHEN 0 THEN true ELSE pg_catalog.pg_has_role(s.oid, r.oid, 'USAGE') END) AS held
    FROM pg_catalog.pg_policy AS p
    JOIN subjects AS s ON s.relid = p.polrelid
), conditions AS ( -- USING or WITH CHECK changed
    SELECT p.*, 'policy-' || part.name || '-' || made.name AS operator,
           CASE part.name WHEN 'using' THEN made.condition ELSE p.reads END AS new_reads,
           CASE part.name WHEN 'check' THEN made.condition ELSE part.other END AS new_writes,
           -- What the part is about, of all that a policy for ALL is.
           CASE WHEN p.polcmd <> '*' THEN p.commands WHEN part.name = 'using' THEN 'rwd' ELSE 'aw' END AS about
    FROM policies AS p
    CROSS JOIN LATERAL (
        VALUES ('using', p.reads, coalesce(p.writes, CASE WHEN p.has_both THEN p.reads END), true),
               ('check', coalesce(p.writes, CASE WHEN p.has_both THEN p.reads END), NULL, p.writes IS NOT NULL)
    ) AS part (name, condition, other, written)
    CROSS JOIN LATERAL (
        VALUES ('true', 'true'), ('false', 'false'),
               ('not', CASE WHEN part.condition NOT IN ('true', 'false') THEN 'NOT (' || part.condition || ')' END),
               (CASE part.name WHEN 'check' THEN 'as-using' ELSE 'as-check' END, -- where they differ
                CASE WHEN p.has_both AND p.reads NOT IN ('true', 'false') AND p.writes NOT IN ('true', 'false')
                     THEN CASE part.name WHEN 'check' THEN p.reads ELSE p.writes END END)
    ) AS made (name, condition)
    WHERE part.condition IS NOT NULL AND made.condition <> part.condition
      AND (part.written OR made.name = 'true')
      AND (p.has_both OR made.name <> CASE WHEN p.polpermissive THEN 'false' ELSE 'true' END)
), changed AS ( -- `alters`: the clauses that ALTER POLICY changes; NULL: it has to be made anew
    SELECT c.operator, c.oid, c.polpermissive AS permissive, c.polcmd AS command, c.roles, c.new_reads AS reads,
           c.new_writes AS writes, c.about,
           coalesce(' USING (' || c.new_reads || ')', '') || coalesce(' WITH CHECK (' || c.new_writes || ')', '') AS alters
    FROM conditions AS c
    UNION ALL
    SELECT 'policy-to-public', p.oid, p.polpermissive, p.polcmd, 'PUBLIC', p.reads, p.writes, p.commands, ' TO PUBLIC'
    FROM policies AS p
    WHERE p.roles <> 'PUBLIC'
    UNION ALL
    SELECT 'policy-for-all', p.oid, p.polpermissive, '*', p.roles, coalesce(p.reads, p.writes), p.writes,
           pg_catalog.replace('rawd', p.commands, ''), NULL
    FROM policies AS p
    WHERE p.polcmd <> '*'
    UNION ALL
    SELECT 'policy-for-' || c.name, p.oid, p.polpermissive, c.command, p.roles, CASE WHEN c.command <> 'a' THEN p.reads END,
           CASE c.command WHEN 'a' THEN coalesce(p.writes, p.reads) WHEN 'w' THEN p.writes END,
           pg_catalog.replace(p.commands, c.command::pg_catalog.text, ''), NULL
    FROM policies AS p
    CROSS JOIN (VALUES ('select', 'r'::"char"), ('insert', 'a'), ('update', 'w'), ('delete', 'd')) AS c (name, command)
    WHERE p.polcmd = '*' AND (p.reads IS NOT NULL OR c.command = 'a')
    UNION ALL
    SELECT 'policy-without-role', p.oid, p.polpermissive, p.polcmd, l.roles, p.reads, p.writes, p.commands, ' TO ' || l.roles
    FROM policies AS p
    CROSS JOIN pg_catalog.unnest(p.polroles) AS less (oid)
    CROSS JOIN LATERAL (
        SELECT pg_catalog.string_agg(pg_catalog.quote_ident(r.rolname), ', ' ORDER BY r.rolname COLLATE "C") AS roles
        FROM pg_catalog.pg_roles AS r
        WHERE r.oid = ANY (p.polroles) AND r.oid <> less.oid
    ) AS l
    WHERE pg_catalog.cardinality(p.polroles) > 1
    UNION ALL
    SELECT CASE WHEN p.polpermissive THEN 'policy-restrictive' ELSE 'policy-permissive' END, p.oid, NOT p.polpermissive,
           p.polcmd, p.roles, p.reads, p.writes, p.commands, NULL
    FROM policies AS p
    UNION ALL
    SELECT 'drop-policy', p.oid, p.polpermissive, p.polcmd, p.roles, p.reads, p.writes, p.commands, NULL
    FROM policies AS p
), definitions AS (
    SELECT c.*, pg_catalog.concat(
               CASE WHEN NOT c.permissive THEN 'AS RESTRICTIVE ' END, 'FOR ',
               CASE c.command WHEN 'r' THEN 'SELECT' WHEN 'a' THEN 'INSERT' WHEN 'w' THEN 'UPDATE' WHEN 'd' THEN 'DELETE'
                              ELSE 'ALL' END,
               ' TO ', c.roles, ' USING (' || c.reads || ')', ' WITH CHECK (' || c.writes || ')') AS definition
    FROM changed AS c
), parts AS ( -- of a policy FOR ALL, one for each command; `free` lets everything through
    SELECT p.oid, p.polpermissive, c.letter, c.name,
           pg_catalog.format('CREATE POLICY %I ON %s %s', pg_catalog.left(p.polname, 50) || ' for ' || pg_catalog.lower(c.name),
                             p.sql, CASE WHEN NOT p.polpermissive THEN 'AS RESTRICTIVE ' END) AS head,
           pg_catalog.concat('FOR ', c.name, ' TO ', p.roles, CASE WHEN c.letter <> 'a' THEN ' USING (' || p.reads || ')' END,
                             CASE WHEN c.letter IN ('a', 'w') THEN ' WITH CHECK (' || coalesce(p.writes, p.reads) || ')' END)
           AS definition,
           pg_catalog.concat('FOR ', c.name, ' TO ', p.roles, CASE WHEN c.letter <> 'a' THEN ' USING (true)' END,
                             CASE WHEN c.letter IN ('a', 'w') THEN ' WITH CHECK (true)' END) AS free
    FROM policies AS p
    CROSS JOIN (VALUES ('r', 'SELECT'), ('a', 'INSERT'), ('w', 'UPDATE'), ('d', 'DELETE')) AS c (letter, name)
    WHERE p.polcmd = '*'
), of_commands (operator, oid, about, becomes, ddl) AS (
    SELECT 'policy-open-for-' || pg_catalog.lower(p.name), p.oid, p.letter, d.definition || '; ' || p.free, p.head || p.free
    FROM parts AS p
    JOIN definitions AS d ON d.oid = p.oid AND d.operator = 'drop-policy'
    WHERE p.polpermissive AND p.definition <> p.free
    UNION ALL
    SELECT 'policy-without-' || pg_catalog.lower(p.name), p.oid, p.letter,
           pg_catalog.regexp_replace(d.definition, 'FOR ALL', 'FOR ' || o.names), 'DROP POLICY ' || w.target || '; ' || o.ddl
    FROM parts AS p
    JOIN policies AS w ON w.oid = p.oid
    JOIN definitions AS d ON d.oid = p.oid AND d.operator = 'drop-policy'
    CROSS JOIN LATERAL (
        SELECT pg_catalog.string_agg(o.name, ', ' ORDER BY o.name) AS names,
               pg_catalog.string_agg(o.head || o.definition, '; ' ORDER BY o.name) AS ddl
        FROM parts AS o
        WHERE o.oid = p.oid AND o.letter <> p.letter
    ) AS o
    WHERE p.polpermissive OR p.definition <> p.free
), options AS ( -- of views
    SELECT v.oid, v.name, v.sql, o.name AS option, coalesce(s.value, 'false') AS value,
           EXISTS (SELECT FROM users AS u WHERE u.relid = v.oid AND u.oid <> v.relowner) AS used
    FROM relations AS v
    CROSS JOIN (VALUES ('security_invoker', 15), ('security_barrier', 14), ('check_option', 14)) AS o (name, since)
    LEFT JOIN LATERAL (
        SELECT CASE t.option_name WHEN 'check_option' THEN t.option_value
                                  ELSE t.option_value::pg_catalog.bool::pg_catalog.text END AS value
        FROM pg_catalog.pg_options_to_table(v.reloptions) AS t
        WHERE t.option_name = o.name
    ) AS s ON true
    WHERE v.relkind = 'v' AND pg_catalog.current_setting('server_version_num')::pg_catalog.int4 >= 10000 * o.since
), found (operator, kind, object, relation, was, becomes, ddl, equivalent) AS (
    SELECT d.operator, 'policy', p.object, p.relation, was.definition, d.becomes, d.ddl,
           CASE WHEN NOT p.relrowsecurity THEN 'row level security is off for its table'
                WHEN NOT EXISTS (SELECT FROM concerned AS c
                                 WHERE c.oid = d.oid AND c.held = (d.operator <> 'policy-to-public')
                                   AND c.may ~ ('[' || d.about || ']'))
                THEN CASE d.operator WHEN 'policy-to-public' THEN 'nobody else has the privilege'
                                     ELSE 'nobody that it applies to has the privilege' END
           END
    FROM (SELECT d.operator, d.oid, d.about, CASE d.operator WHEN 'drop-policy' THEN '' ELSE d.definition END AS becomes,
                 CASE WHEN d.operator = 'drop-policy' THEN 'DROP POLICY ' || p.target
                      WHEN d.alters IS NULL THEN pg_catalog.format('DROP POLICY %s; CREATE POLICY %s %s', p.target, p.target,
                                                                   d.definition)
                      ELSE 'ALTER POLICY ' || p.target || d.alters END AS ddl
          FROM definitions AS d
          JOIN policies AS p ON p.oid = d.oid
          UNION ALL
          SELECT o.operator, o.oid, o.about, o.becomes, o.ddl
          FROM of_commands AS o) AS d
    JOIN definitions AS was ON was.oid = d.oid AND was.operator = 'drop-policy'
    JOIN policies AS p ON p.oid = d.oid
    UNION ALL
    SELECT 'row-security-off', 'table', t.name, t.name, 'ENABLE ROW LEVEL SECURITY', 'DISABLE ROW LEVEL SECURITY',
           pg_catalog.format('ALTER TABLE %s DISABLE ROW LEVEL SECURITY', t.sql),
           CASE WHEN NOT EXISTS (SELECT FROM subjects AS s WHERE s.relid = t.oid)
                THEN 'nobody that policies apply to may use it' END
    FROM relations AS t
    WHERE t.relrowsecurity
    UNION ALL
    SELECT 'row-security-on', 'table', t.name, t.name, 'DISABLE ROW LEVEL SECURITY', 'ENABLE ROW LEVEL SECURITY',
           pg_catalog.format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', t.sql), NULL
    FROM relations AS t
    WHERE NOT t.relrowsecurity AND t.relkind <> 'v' AND t.oid IN (SELECT s.relid FROM subjects AS s)
    UNION ALL
    SELECT f.operator, 'table', t.name, t.name, f.was, f.becomes, pg_catalog.format('ALTER TABLE %s %s', t.sql, f.becomes),
           CASE WHEN NOT t.relrowsecurity THEN 'row level security is off'
                WHEN NOT EXISTS (SELECT FROM users AS u WHERE u.relid = t.oid AND u.as_owner AND NOT u.rolbypassrls)
                THEN 'its owner is a superuser or has BYPASSRLS' END
    FROM relations AS t
    JOIN (VALUES (true, 'row-security-not-forced', 'FORCE ROW LEVEL SECURITY', 'NO FORCE ROW LEVEL SECURITY'),
                 (false, 'row-security-forced', 'NO FORCE ROW LEVEL SECURITY', 'FORCE ROW LEVEL SECURITY'))
         AS f (forced, operator, was, becomes) ON f.forced = t.relforcerowsecurity
    WHERE t.relforcerowsecurity OR t.relrowsecurity
    UNION ALL
    SELECT CASE o.option WHEN 'check_option' THEN 'drop-check-option'
                         WHEN 'security_barrier' THEN 'view-without-barrier'
                         ELSE CASE o.value WHEN 'true' THEN 'view-of-owner' ELSE 'view-of-invoker' END END,
           'view', o.name, o.name, pg_catalog.format('%s = %s', o.option, o.value),
           CASE WHEN o.option = 'check_option' THEN ''
                ELSE pg_catalog.format('%s = %s', o.option, CASE o.value WHEN 'true' THEN 'false' ELSE 'true' END) END,
           CASE WHEN o.option = 'check_option' THEN pg_catalog.format('ALTER VIEW %s RESET (check_option)', o.sql)
                ELSE pg_catalog.format('ALTER VIEW %s SET (%s = %s)', o.sql, o.option,
                                       CASE o.value WHEN 'true' THEN 'false' ELSE 'true' END) END,
           CASE WHEN o.option <> 'check_option' AND NOT o.used THEN 'nobody but its owner may use it' END
    FROM options AS o
    WHERE o.option = 'security_invoker' OR o.value <> 'false'
)
SELECT operator::pg_catalog.text, kind::pg_catalog.text, object::pg_catalog.text, relation::pg_catalog.text,
       pg_catalog.regexp_replace(pg_catalog.regexp_replace(was, '\s*\n\s*', ' ', 'g'), '\mpublic\.', '', 'g') AS was,
       pg_catalog.regexp_replace(pg_catalog.regexp_replace(becomes, '\s*\n\s*', ' ', 'g'), '\mpublic\.', '', 'g') AS becomes,
       ddl::pg_catalog.text, equivalent::pg_catalog.text
FROM found
ORDER BY object COLLATE "C", operator COLLATE "C", becomes COLLATE "C"
