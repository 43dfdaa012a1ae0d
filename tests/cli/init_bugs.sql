-- Single bugs for a schema, an SQL text on a line each: a constraint is dropped, a foreign key does something else, a
-- policy is dropped or allows all.
WITH tables AS (
    SELECT c.oid, c.oid::regclass::text AS name, c.relrowsecurity
    FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname NOT IN ('pg_catalog', 'information_schema')
), keys AS ( -- the definition without its actions, and what stands behind them
    SELECT c.conname, c.confupdtype, c.confdeltype, t.name, regexp_replace(pg_get_constraintdef(c.oid), ' ON UPDATE .*| ON DELETE .*| DEFERRABLE.*', '') AS base,
           coalesce(substring(pg_get_constraintdef(c.oid) FROM ' DEFERRABLE.*'), '') AS rest,
           EXISTS (SELECT FROM pg_attribute AS a LEFT JOIN pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
                   WHERE a.attrelid = c.confrelid AND a.attnum = ANY (c.confkey) AND a.attidentity = ''
                     AND coalesce(pg_get_expr(d.adbin, d.adrelid) !~ '^nextval', true)) AS may_change
    FROM pg_constraint AS c JOIN tables AS t ON t.oid = c.conrelid WHERE c.contype = 'f'
), actions (code, text, other) AS ( -- and what the bug makes of each
    VALUES ('a'::"char", 'NO ACTION', 'CASCADE'), ('r', 'RESTRICT', 'CASCADE'), ('c', 'CASCADE', 'NO ACTION'),
           ('n', 'SET NULL', 'CASCADE'), ('d', 'SET DEFAULT', 'SET NULL')
), changed AS (
    SELECT k.*, u.text AS on_update, d.other AS on_delete
    FROM keys AS k JOIN actions AS u ON u.code = k.confupdtype JOIN actions AS d ON d.code = k.confdeltype
    UNION ALL
    SELECT k.*, u.other, d.text
    FROM keys AS k JOIN actions AS u ON u.code = k.confupdtype JOIN actions AS d ON d.code = k.confdeltype
    WHERE k.may_change
), bugs (text) AS (
    SELECT format('ALTER TABLE %s DROP CONSTRAINT %I%s', t.name, c.conname, CASE WHEN c.contype IN ('p', 'u') THEN ' CASCADE' END)
    FROM pg_constraint AS c JOIN tables AS t ON t.oid = c.conrelid
    WHERE c.contype IN ('c', 'f', 'p', 'u', 'x') AND c.conislocal
    UNION ALL
    SELECT format('ALTER TABLE %s ALTER %I DROP NOT NULL', t.name, a.attname)
    FROM pg_attribute AS a JOIN tables AS t ON t.oid = a.attrelid
    WHERE a.attnotnull AND a.attnum > 0 AND NOT a.attisdropped AND a.attidentity = '' AND a.attislocal
      AND NOT EXISTS (SELECT FROM pg_index AS i WHERE i.indrelid = t.oid AND i.indisprimary AND a.attnum = ANY (i.indkey))
    UNION ALL
    SELECT format('DROP INDEX %s', i.indexrelid::regclass)
    FROM pg_index AS i JOIN tables AS t ON t.oid = i.indrelid
    WHERE i.indisunique AND NOT EXISTS (SELECT FROM pg_constraint AS c WHERE c.conindid = i.indexrelid AND c.contype <> 'f')
    UNION ALL
    SELECT format('ALTER DOMAIN %s DROP CONSTRAINT %I', c.contypid::regtype, c.conname)
    FROM pg_constraint AS c JOIN pg_type AS y ON y.oid = c.contypid
    WHERE c.contype = 'c' AND y.typnamespace <> 'information_schema'::regnamespace
    UNION ALL
    SELECT format('ALTER DOMAIN %s DROP NOT NULL', oid::regtype) FROM pg_type WHERE typnotnull AND typtype = 'd'
    UNION ALL
    SELECT format('ALTER TABLE %s DROP CONSTRAINT %I, ADD CONSTRAINT %2$I %s ON UPDATE %s ON DELETE %s%s',
                  name, conname, base, on_update, on_delete, rest)
    FROM changed
    UNION ALL
    SELECT format('ALTER TABLE %s ALTER %I DROP EXPRESSION', t.name, a.attname)
    FROM pg_attribute AS a JOIN tables AS t ON t.oid = a.attrelid WHERE a.attgenerated = 's'
    UNION ALL
    SELECT format('DROP POLICY %I ON %s', p.polname, t.name) FROM pg_policy AS p JOIN tables AS t ON t.oid = p.polrelid
    UNION ALL
    SELECT format('ALTER POLICY %I ON %s USING (true)', p.polname, t.name)
    FROM pg_policy AS p JOIN tables AS t ON t.oid = p.polrelid WHERE pg_get_expr(p.polqual, p.polrelid) <> 'true'
    UNION ALL
    SELECT format('ALTER POLICY %I ON %s WITH CHECK (true)', p.polname, t.name)
    FROM pg_policy AS p JOIN tables AS t ON t.oid = p.polrelid WHERE p.polwithcheck IS NOT NULL
    UNION ALL
    SELECT format('ALTER TABLE %s DISABLE ROW LEVEL SECURITY', name) FROM tables WHERE relrowsecurity
)
SELECT text FROM bugs ORDER BY text;
