-- What there is in the catalog: objects by the names that mutants have for them, and their definitions.
CREATE FUNCTION pg_temp.name(schema text, name text) RETURNS text LANGUAGE sql
AS $$ SELECT CASE WHEN schema = 'public' THEN quote_ident(name) ELSE format('%I.%I', schema, name) END $$;

-- As in f(integer, mood), whatever schemas its types are in.
CREATE FUNCTION pg_temp.signature(function oid) RETURNS text LANGUAGE sql
AS $$
    SELECT pg_temp.name(n.nspname, p.proname) || '('
           || (SELECT coalesce(string_agg(regexp_replace(format_type(a.type, NULL), '^public\.', ''), ',' ORDER BY a.n), '')
               FROM unnest(p.proargtypes::oid[]) WITH ORDINALITY AS a (type, n)) || ')'
    FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = p.pronamespace
    WHERE p.oid = function
$$;

CREATE TEMP VIEW pg_temp.relations AS
    SELECT c.*, pg_temp.name(n.nspname, c.relname) AS name
    FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
    WHERE n.nspname <> 'information_schema' AND n.nspname !~ '^pg_' AND c.relkind IN ('r', 'p', 'v', 'm', 'S', 'f');

CREATE TEMP VIEW pg_temp.acls AS
    SELECT name, relowner AS owner, '' AS columns, relacl AS acl FROM pg_temp.relations
    UNION ALL
    SELECT r.name, r.relowner, format(' (%I)', a.attname), a.attacl
    FROM pg_temp.relations AS r JOIN pg_attribute AS a ON a.attrelid = r.oid
    UNION ALL
    SELECT pg_temp.signature(p.oid), p.proowner, '', coalesce(p.proacl, acldefault('f', p.proowner))
    FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = p.pronamespace
    WHERE n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
    UNION ALL
    SELECT 'schema ' || quote_ident(nspname), nspowner, '', nspacl FROM pg_namespace WHERE nspname !~ '^pg_';

CREATE TEMP VIEW pg_temp.dump (kind, name, definition) AS
    SELECT 'relation', r.name, concat_ws(' ', r.relkind, r.relowner::regrole, r.reloptions, r.relrowsecurity, r.relforcerowsecurity,
                             r.relreplident, CASE WHEN r.relkind IN ('v', 'm') THEN pg_get_viewdef(r.oid) END)
    FROM pg_temp.relations AS r
    UNION ALL
    SELECT 'column', format('%s.%I', r.name, a.attname),
           concat_ws(' ', a.attnum, format_type(a.atttypid, a.atttypmod), a.attcollation, a.attnotnull, a.attidentity,
                     a.attgenerated, pg_get_expr(d.adbin, d.adrelid))
    FROM pg_temp.relations AS r
    JOIN pg_attribute AS a ON a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE r.relkind <> 'S'
    UNION ALL
    SELECT 'constraint', format('%s.%I', r.name, c.conname), concat_ws(' ', pg_get_constraintdef(c.oid), pg_get_indexdef(i.indexrelid))
    FROM pg_temp.relations AS r
    JOIN pg_constraint AS c ON c.conrelid = r.oid AND c.contype NOT IN ('n', 't')
    LEFT JOIN pg_index AS i ON i.indexrelid = c.conindid AND c.contype <> 'f'
    UNION ALL
    SELECT 'index', pg_temp.name(n.nspname, x.relname), pg_get_indexdef(x.oid)
    FROM pg_temp.relations AS r
    JOIN pg_index AS i ON i.indrelid = r.oid
    JOIN pg_class AS x ON x.oid = i.indexrelid
    JOIN pg_namespace AS n ON n.oid = x.relnamespace
    WHERE NOT EXISTS (SELECT FROM pg_constraint AS c WHERE c.conindid = x.oid AND c.contype <> 'f')
    UNION ALL
    SELECT 'policy', format('%I on %s', p.polname, r.name),
           concat_ws(' ', p.polcmd, p.polpermissive, p.polroles::regrole[], '[' || pg_get_expr(p.polqual, p.polrelid) || ']',
                     pg_get_expr(p.polwithcheck, p.polrelid))
    FROM pg_temp.relations AS r JOIN pg_policy AS p ON p.polrelid = r.oid
    UNION ALL
    SELECT 'trigger', format('%I on %s', t.tgname, r.name), concat_ws(' ', t.tgenabled, pg_get_triggerdef(t.oid))
    FROM pg_temp.relations AS r JOIN pg_trigger AS t ON t.tgrelid = r.oid AND NOT t.tgisinternal AND t.tgparentid = 0
    UNION ALL
    SELECT 'function', pg_temp.signature(p.oid), pg_get_functiondef(p.oid)
    FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = p.pronamespace
    WHERE n.nspname <> 'information_schema' AND n.nspname !~ '^pg_' AND p.prokind <> 'a'
    UNION ALL
    SELECT 'domain', pg_temp.name(n.nspname, t.typname),
           concat_ws(' ', format_type(t.typbasetype, t.typtypmod), t.typnotnull, t.typdefault)
    FROM pg_type AS t JOIN pg_namespace AS n ON n.oid = t.typnamespace
    WHERE t.typtype = 'd' AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
    UNION ALL
    SELECT 'constraint', format('%s.%I', pg_temp.name(n.nspname, t.typname), c.conname), pg_get_constraintdef(c.oid)
    FROM pg_type AS t JOIN pg_namespace AS n ON n.oid = t.typnamespace
    JOIN pg_constraint AS c ON c.contypid = t.oid AND c.contype = 'c'
    WHERE n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
    UNION ALL
    SELECT 'grant', format('%s%s on %s to %s', e.privilege_type, a.columns, a.name,
                  CASE WHEN e.grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(e.grantee)) END),
           e.is_grantable::text
    FROM pg_temp.acls AS a CROSS JOIN aclexplode(a.acl) AS e
    WHERE e.grantee <> a.owner;
