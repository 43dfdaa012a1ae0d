-- A query of the rows of all tables: the table, a key that tells its rows from each other, and the row as text. NULL if
-- there is no table, or if the tables hold more than $1 bytes. Tables of extensions and temporary ones are left out.
SELECT CASE WHEN pg_catalog.sum(pg_catalog.pg_relation_size(c.oid)) <= $1::pg_catalog.int8 THEN
    pg_catalog.string_agg(pg_catalog.format(
        'SELECT %L, pg_catalog.concat_ws('', '', %s), pg_catalog.concat(pgfsm_row) FROM ONLY %I.%I AS pgfsm_row',
        CASE n.nspname WHEN 'public' THEN '' ELSE pg_catalog.format('%I.', n.nspname) END || pg_catalog.format('%I', c.relname),
        -- without a primary key, its text and which of the equal ones it is
        coalesce(k.columns, 'pg_catalog.concat(pgfsm_row), pg_catalog.row_number() OVER (PARTITION BY pg_catalog.concat(pgfsm_row))'),
        n.nspname, c.relname), ' UNION ALL ') END
FROM pg_catalog.pg_class AS c
JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
CROSS JOIN LATERAL (SELECT pg_catalog.string_agg(pg_catalog.format('pgfsm_row.%I', a.attname), ', ' ORDER BY a.attnum) AS columns
                    FROM pg_catalog.pg_index AS i
                    JOIN pg_catalog.pg_attribute AS a ON a.attrelid = i.indrelid AND pg_catalog.array_position(i.indkey::pg_catalog.int2[], a.attnum) < i.indnkeyatts
                    WHERE i.indrelid = c.oid AND i.indisprimary) AS k
WHERE c.relkind = 'r' AND c.relpersistence <> 't' AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
  AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend AS d
                  WHERE d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objid = c.oid AND d.deptype = 'e')
