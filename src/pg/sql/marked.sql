-- What steps that are committed may change, and what of it can be put back by rows: tables with the columns that
-- are to be written, as a list and as fields of a row `r`, their OIDs and files. NULL: by a new copy of the database only, as with a
-- materialized view, a trigger or rule that fires even then, rows that take much room.
-- Then tables of the catalog ($1, see state.sql), if not whole then with what leaves out the rows that come with the
-- server where these are many: SQL for any search_path. Of few, those in which nearly everything that is defined leaves a row, and large objects.
WITH tables AS (
    SELECT pg_catalog.format('%I.%I', n.nspname, c.relname) AS name, NULL::pg_catalog.text AS part,
           c.relkind = 'r'
               AND pg_catalog.sum(pg_catalog.pg_table_size(c.oid)) OVER (ORDER BY pg_catalog.pg_table_size(c.oid), c.oid)
                   < 16 * 1024 * 1024
               AND NOT EXISTS (SELECT FROM pg_catalog.pg_trigger AS t WHERE t.tgrelid = c.oid AND t.tgenabled IN ('A', 'R'))
               AND NOT EXISTS (SELECT FROM pg_catalog.pg_rewrite AS r WHERE r.ev_class = c.oid AND r.ev_enabled IN ('A', 'R'))
               AS restorable,
           a.columns, a.fields, c.oid::pg_catalog.text, pg_catalog.pg_relation_filenode(c.oid)::pg_catalog.text AS file
    FROM pg_catalog.pg_class AS c
    JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    LEFT JOIN LATERAL (
        SELECT pg_catalog.string_agg(pg_catalog.quote_ident(a.attname), ', ' ORDER BY a.attnum) AS columns,
               pg_catalog.string_agg('(r).' || pg_catalog.quote_ident(a.attname), ', ' ORDER BY a.attnum) AS fields
        FROM pg_catalog.pg_attribute AS a
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS a ON true
    WHERE c.relkind IN ('r', 'm') AND c.relpersistence <> 't' AND c.relispopulated
      AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
    ORDER BY c.oid
), catalogs AS (
    SELECT 'pg_catalog.' || c.relname AS name,
           CASE WHEN c.relname = 'pg_namespace' THEN $$nspname OPERATOR(pg_catalog.!~) '^pg_(toast_)?temp_'$$
                WHEN c.relname = 'pg_shdepend'
                    THEN pg_catalog.format('dbid OPERATOR(pg_catalog.=) %s', (SELECT d.oid FROM pg_catalog.pg_database AS d
                                                         WHERE d.datname = pg_catalog.current_database()))
                WHEN $1 = 'whole' THEN NULL
                WHEN c.relname = 'pg_attribute' THEN 'attrelid OPERATOR(pg_catalog.>=) 16384'
                WHEN c.relname = 'pg_index' THEN 'indexrelid OPERATOR(pg_catalog.>=) 16384'
                WHEN c.relname = 'pg_description' THEN 'objoid OPERATOR(pg_catalog.>=) 16384'
                WHEN c.reltuples > 40 AND EXISTS (SELECT FROM pg_catalog.pg_attribute AS a
                                                  WHERE a.attrelid = c.oid AND a.attname = 'oid')
                    THEN 'oid OPERATOR(pg_catalog.>=) 16384' END AS part
    FROM pg_catalog.pg_class AS c
    WHERE c.relnamespace = 'pg_catalog'::pg_catalog.regnamespace AND c.relkind = 'r'
      AND (NOT c.relisshared OR $1 = 'whole' AND c.relname = 'pg_shdepend')
      AND c.relname NOT IN ('pg_statistic', 'pg_statistic_ext_data')
      AND ($1 = 'whole' OR c.relname NOT IN ('pg_depend', 'pg_aggregate', 'pg_init_privs', 'pg_range', 'pg_ts_config_map'))
      AND ($1 <> 'few' OR c.relname IN ('pg_class', 'pg_index', 'pg_proc', 'pg_type', 'pg_largeobject', 'pg_largeobject_metadata'))
    ORDER BY c.relname
)
SELECT name, part, CASE WHEN restorable THEN columns END, CASE WHEN restorable THEN fields END, oid, file FROM tables
UNION ALL
SELECT name, part, NULL, NULL, NULL, NULL FROM catalogs
