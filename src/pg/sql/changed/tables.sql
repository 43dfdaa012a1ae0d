-- The tables of a database but those of the server, and temporary ones of this session. The partitions of a table are
-- parts of it. For each: OID, name, why its rows can't be shown, a text that differs where they were written since,
-- their files, whether there are any; then whether that text can be relied on, what differs where a table was altered,
-- and whether the transaction is serializable: those are the same in each row.
WITH parts AS (
    SELECT CASE WHEN c.relispartition THEN pg_catalog.pg_partition_root(c.oid)::pg_catalog.oid ELSE c.oid END AS root,
           c.oid, c.relkind,
           pg_catalog.pg_stat_get_xact_tuples_inserted(c.oid) + pg_catalog.pg_stat_get_xact_tuples_updated(c.oid)
               + pg_catalog.pg_stat_get_xact_tuples_deleted(c.oid) AS written,
           pg_catalog.pg_relation_filenode(c.oid) AS file,
           CASE WHEN c.relkind = 'r' THEN pg_catalog.pg_relation_size(c.oid) ELSE 0 END AS bytes,
           CASE WHEN c.relkind = 'r' THEN pg_catalog.pg_table_size(c.oid) ELSE 0 END AS all_bytes
    FROM pg_catalog.pg_class AS c
    JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    WHERE (c.relkind IN ('r', 'p') OR c.relkind = 'f' AND c.relispartition)
      AND (n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' OR n.oid = pg_catalog.pg_my_temp_schema())
), tables AS (
    SELECT p.root, pg_catalog.sum(p.bytes) AS bytes, pg_catalog.sum(p.all_bytes) AS all_bytes,
           pg_catalog.sum(p.written) AS written, pg_catalog.bool_or(p.relkind = 'f') AS is_foreign,
           pg_catalog.string_agg(p.file::pg_catalog.text, ' ' ORDER BY p.oid) AS files
    FROM parts AS p
    GROUP BY p.root
), state AS (
    SELECT pg_catalog.current_setting('pgfsm.track_counts') = 'on'
               AND NOT EXISTS (SELECT FROM pg_catalog.pg_proc AS p WHERE p.proconfig::pg_catalog.text ~ 'track_counts')
               AS counts,
           (SELECT pg_catalog.sum(pg_catalog.pg_stat_get_xact_tuples_inserted(s.oid)
                                  + pg_catalog.pg_stat_get_xact_tuples_updated(s.oid)
                                  + pg_catalog.pg_stat_get_xact_tuples_deleted(s.oid))
            FROM pg_catalog.unnest(ARRAY['pg_catalog.pg_class'::pg_catalog.regclass,
                                         'pg_catalog.pg_attribute'::pg_catalog.regclass]::pg_catalog.oid[]) AS s (oid))
               AS altered,
           pg_catalog.current_setting('transaction_isolation') = 'serializable' AS serializable
)
SELECT t.root,
       pg_catalog.format('%s.%I', CASE WHEN n.oid = pg_catalog.pg_my_temp_schema() THEN 'pg_temp'
                                       ELSE pg_catalog.quote_ident(n.nspname) END, c.relname),
       CASE WHEN NOT pg_catalog.has_schema_privilege(n.oid, 'USAGE')
                 OR NOT pg_catalog.has_table_privilege(c.oid, 'SELECT')
            THEN pg_catalog.format('%s may not read it', current_user)
            WHEN pg_catalog.row_security_active(c.oid)
            THEN pg_catalog.format('its policies hide rows from %s', current_user)
            WHEN t.is_foreign THEN 'a partition is a foreign table'
            WHEN t.bytes > 64 * pg_catalog.current_setting('block_size')::pg_catalog.int8
                 OR t.all_bytes > 4 * 1024 * 1024
            THEN 'too large' END,
       pg_catalog.concat_ws(' ', CASE WHEN state.counts THEN t.written END, t.files, t.bytes), t.files, t.bytes > 0,
       state.counts, state.altered, state.serializable
FROM tables AS t
JOIN pg_catalog.pg_class AS c ON c.oid = t.root
JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
CROSS JOIN state
ORDER BY n.nspname COLLATE "C", c.relname COLLATE "C"
