-- What of the schema's own objects this transaction touched, by the server's counters, which a rollback to a
-- savepoint does not take back. $1: the users that statements ran as. Where $2 is not empty: what all transactions
-- touched since the counters of the database were reset.
--
-- A function counts once it has returned. A policy counts where its table was read or written in its way, and a
-- statement ran as somebody for whom it holds: one of $1, the owner of a SECURITY DEFINER function that was
-- called, or of a view. So one that does not count was not applied; one that does may not have been.
WITH own AS (
    SELECT n.oid,
           CASE WHEN n.nspname = 'public' THEN '' ELSE pg_catalog.quote_ident(n.nspname) || '.' END AS prefix
    FROM pg_catalog.pg_namespace AS n
    WHERE n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
), of_extensions AS (
    SELECT d.classid, d.objid FROM pg_catalog.pg_depend AS d WHERE d.deptype = 'e'
), calls AS MATERIALIZED (
    SELECT s.funcid, s.calls FROM pg_catalog.pg_stat_xact_user_functions AS s WHERE $2::pg_catalog.text[] = '{}'
    UNION ALL
    SELECT s.funcid, s.calls FROM pg_catalog.pg_stat_user_functions AS s WHERE $2::pg_catalog.text[] <> '{}'
), functions AS (
    SELECT p.proowner, p.prosecdef,
           own.prefix || pg_catalog.quote_ident(p.proname) || '('
               || pg_catalog.pg_get_function_identity_arguments(p.oid) || ')' AS name,
           p.prorettype IN ('pg_catalog.trigger'::pg_catalog.regtype,
                            'pg_catalog.event_trigger'::pg_catalog.regtype) AS of_trigger,
           COALESCE(s.calls, 0) > 0 AS touched,
           l.lanname = 'sql' AND NOT p.prosecdef AND p.proconfig IS NULL AS inlined
    FROM pg_catalog.pg_proc AS p
    JOIN own ON own.oid = p.pronamespace
    JOIN pg_catalog.pg_language AS l ON l.oid = p.prolang
    LEFT JOIN calls AS s ON s.funcid = p.oid
    WHERE p.prokind IN ('f', 'p')
      AND NOT EXISTS (SELECT FROM of_extensions AS e
                      WHERE e.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND e.objid = p.oid)
), actions AS (
    SELECT s.relid, s.seq_scan, s.idx_scan, s.n_tup_ins, s.n_tup_upd, s.n_tup_del
    FROM pg_catalog.pg_stat_xact_all_tables AS s WHERE $2::pg_catalog.text[] = '{}'
    UNION ALL
    SELECT s.relid, s.seq_scan, s.idx_scan, s.n_tup_ins, s.n_tup_upd, s.n_tup_del
    FROM pg_catalog.pg_stat_all_tables AS s WHERE $2::pg_catalog.text[] <> '{}'
), counters AS MATERIALIZED (
    SELECT s.relid, COALESCE(s.seq_scan, 0) + COALESCE(s.idx_scan, 0) > 0 AS read, s.n_tup_ins > 0 AS inserted,
           s.n_tup_upd > 0 AS updated, s.n_tup_del > 0 AS deleted
    FROM actions AS s
    WHERE COALESCE(s.seq_scan, 0) + COALESCE(s.idx_scan, 0) + s.n_tup_ins + s.n_tup_upd + s.n_tup_del > 0
), tables AS (
    -- Of a partitioned table the partitions are counted.
    SELECT c.oid, c.relowner, c.relrowsecurity, c.relforcerowsecurity,
           own.prefix || pg_catalog.quote_ident(c.relname) AS name,
           COALESCE(pg_catalog.bool_or(s.read), false) AS read,
           COALESCE(pg_catalog.bool_or(s.inserted), false) AS inserted,
           COALESCE(pg_catalog.bool_or(s.updated), false) AS updated,
           COALESCE(pg_catalog.bool_or(s.deleted), false) AS deleted
    FROM pg_catalog.pg_class AS c
    JOIN own ON own.oid = c.relnamespace
    LEFT JOIN counters AS s
           ON s.relid = c.oid
           OR c.relkind = 'p' AND s.relid IN (SELECT t.relid FROM pg_catalog.pg_partition_tree(c.oid) AS t)
    WHERE c.relkind IN ('r', 'p') AND c.relpersistence <> 't'
      AND NOT EXISTS (SELECT FROM of_extensions AS e
                      WHERE e.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND e.objid = c.oid)
    GROUP BY c.oid, own.prefix
), users AS (
    SELECT r.oid FROM pg_catalog.pg_roles AS r
    WHERE r.rolname = ANY ($1::pg_catalog.text[])
       OR r.oid IN (SELECT f.proowner FROM functions AS f WHERE f.prosecdef AND f.touched)
       OR r.oid IN (SELECT c.relowner FROM pg_catalog.pg_class AS c JOIN own ON own.oid = c.relnamespace
                    WHERE c.relkind = 'v')
), policies AS (
    SELECT pg_catalog.quote_ident(p.polname) || ' on ' || t.name AS name, t.relrowsecurity AS holds,
           CASE p.polcmd
               WHEN 'r' THEN t.read
               WHEN 'a' THEN t.inserted
               WHEN 'w' THEN t.updated
               WHEN 'd' THEN t.deleted
               ELSE t.read OR t.inserted OR t.updated OR t.deleted
           END AS reached,
           CASE p.polcmd
               WHEN 'r' THEN 'its table was not read'
               WHEN 'a' THEN 'nothing was inserted'
               WHEN 'w' THEN 'nothing was updated'
               WHEN 'd' THEN 'nothing was deleted'
               ELSE 'its table was neither read nor written'
           END AS unreached,
           EXISTS (SELECT FROM users AS u
                   JOIN pg_catalog.pg_roles AS r ON r.oid = u.oid
                   WHERE NOT r.rolsuper AND NOT r.rolbypassrls
                     AND (t.relforcerowsecurity OR NOT pg_catalog.pg_has_role(r.oid, t.relowner, 'USAGE'))
                     AND EXISTS (SELECT FROM pg_catalog.unnest(p.polroles) AS of (role)
                                 WHERE CASE WHEN of.role = 0 THEN true
                                            ELSE pg_catalog.pg_has_role(r.oid, of.role, 'USAGE') END)) AS meant
    FROM pg_catalog.pg_policy AS p
    JOIN tables AS t ON t.oid = p.polrelid
), found (kind, name, touched, note, reached) AS (
    SELECT CASE WHEN f.of_trigger THEN 1 ELSE 0 END, f.name, f.touched,
           CASE WHEN f.inlined AND NOT f.touched
                THEN 'unless the server inlined it into what calls it' END, false
    FROM functions AS f
    UNION ALL
    SELECT 2, t.name, t.read OR t.inserted OR t.updated OR t.deleted, NULL, false FROM tables AS t
    UNION ALL
    SELECT 3, p.name, p.holds AND p.reached AND p.meant,
           CASE WHEN NOT p.holds THEN 'row security is off for its table'
                WHEN NOT p.reached THEN p.unreached
                WHEN NOT p.meant THEN 'no statement ran as somebody for whom it holds' END, p.reached
    FROM policies AS p
)
SELECT kind, name, touched, note, reached FROM found ORDER BY kind, name COLLATE "C"
