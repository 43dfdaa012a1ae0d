-- Values worth drawing: labels of enums, and expressions that hold constants (of CHECKs and defaults),
-- of the schema's own objects, in an order that depends on nothing but their text.
WITH own AS (
    SELECT n.oid FROM pg_catalog.pg_namespace AS n
    WHERE n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
), found AS (
    SELECT 'label' AS kind, e.enumlabel::pg_catalog.text AS text
    FROM pg_catalog.pg_enum AS e
    JOIN pg_catalog.pg_type AS t ON t.oid = e.enumtypid
    WHERE t.typnamespace IN (SELECT oid FROM own)
    UNION
    SELECT 'expression', pg_catalog.pg_get_constraintdef(c.oid)
    FROM pg_catalog.pg_constraint AS c
    WHERE c.contype = 'c' AND c.connamespace IN (SELECT oid FROM own)
    UNION
    SELECT 'expression', pg_catalog.pg_get_expr(d.adbin, d.adrelid)
    FROM pg_catalog.pg_attrdef AS d
    JOIN pg_catalog.pg_class AS c ON c.oid = d.adrelid
    WHERE c.relnamespace IN (SELECT oid FROM own)
)
SELECT kind, text FROM found ORDER BY kind COLLATE "C", text COLLATE "C" LIMIT 2000
