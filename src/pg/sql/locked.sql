-- The relations of users that are there for the session that asks, and those that the session $1 has locked: of one that
-- is dropped there is only its lock. The counters are those of the session that asks, in its transaction; pgfsm also
-- asks for those of all sessions, by the functions without xact_. It runs in a session of the user's, whose search_path
-- may be anything.
WITH held AS (
    SELECT l.relation, pg_catalog.string_agg(l.mode, ' ') AS modes
    FROM pg_catalog.pg_locks AS l
    WHERE l.locktype OPERATOR(pg_catalog.=) 'relation' AND l.granted
      AND l.pid OPERATOR(pg_catalog.=) $1::pg_catalog.int4
      AND l.database OPERATOR(pg_catalog.=)
          (SELECT d.oid FROM pg_catalog.pg_database AS d
           WHERE d.datname OPERATOR(pg_catalog.=) pg_catalog.current_database())
    GROUP BY l.relation
)
SELECT COALESCE(c.oid, held.relation),
       CASE WHEN n.nspname OPERATOR(pg_catalog.=) 'public' THEN pg_catalog.quote_ident(c.relname)
            WHEN n.nspname IS NOT NULL THEN pg_catalog.format('%I.%I', n.nspname, c.relname) END,
       c.relkind,
       c.relfilenode,
       c.reltablespace,
       COALESCE(i.indrelid, 0::pg_catalog.oid),
       pg_catalog.pg_stat_get_xact_numscans(c.oid),
       pg_catalog.pg_stat_get_xact_tuples_returned(c.oid)
           OPERATOR(pg_catalog.+) pg_catalog.pg_stat_get_xact_tuples_fetched(c.oid),
       pg_catalog.pg_stat_get_xact_tuples_inserted(c.oid)
           OPERATOR(pg_catalog.+) pg_catalog.pg_stat_get_xact_tuples_updated(c.oid)
           OPERATOR(pg_catalog.+) pg_catalog.pg_stat_get_xact_tuples_deleted(c.oid),
       held.modes
FROM held
FULL JOIN pg_catalog.pg_class AS c ON c.oid OPERATOR(pg_catalog.=) held.relation
LEFT JOIN pg_catalog.pg_namespace AS n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace
LEFT JOIN pg_catalog.pg_index AS i ON i.indexrelid OPERATOR(pg_catalog.=) c.oid
WHERE c.oid IS NULL
   OR (n.nspname OPERATOR(pg_catalog.<>) ALL ('{pg_catalog,information_schema,pg_toast}'::pg_catalog.name[])
       AND c.relkind OPERATOR(pg_catalog.=) ANY ('{r,p,v,m,f,S,i,I}'::pg_catalog."char"[]))
ORDER BY 1
