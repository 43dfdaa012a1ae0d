-- Before a commit: an error (22P02) if the transaction changed what all databases of a server share: roles, settings of
-- roles and databases, databases, tablespaces, their comments; or has a subscription in its database, which no copy gets,
-- and with which none can be dropped. DDL keeps its lock on the table of the catalog until the
-- end; but for GRANT, SECURITY LABEL, and origins of replication, whose rows show it: those that the transaction wrote,
-- or a subtransaction, are still in progress, though we see them. A grant on a copy of ours goes with the copy.
-- Without a transaction id nothing was written, and nothing is looked for.
-- It runs with whatever search_path the step has left: so it names its operators.
SELECT pg_catalog.min(w.name)::pg_catalog.int4
FROM (SELECT pg_catalog.pg_current_xact_id_if_assigned() AS id OFFSET 0) AS own
CROSS JOIN LATERAL (
    SELECT l.relation::pg_catalog.regclass::pg_catalog.text AS name
    FROM pg_catalog.pg_locks AS l
    WHERE l.pid OPERATOR(pg_catalog.=) pg_catalog.pg_backend_pid()
      AND l.mode OPERATOR(pg_catalog.=) 'RowExclusiveLock' AND l.database OPERATOR(pg_catalog.=) 0::pg_catalog.oid
      AND l.relation OPERATOR(pg_catalog.=) ANY (ARRAY[
              'pg_catalog.pg_authid'::pg_catalog.regclass, 'pg_catalog.pg_auth_members'::pg_catalog.regclass,
              'pg_catalog.pg_database'::pg_catalog.regclass, 'pg_catalog.pg_tablespace'::pg_catalog.regclass,
              'pg_catalog.pg_db_role_setting'::pg_catalog.regclass,
              'pg_catalog.pg_shdescription'::pg_catalog.regclass, 6243]::pg_catalog.oid[]) -- pg_parameter_acl, since 15
    UNION ALL
    SELECT r.name
    FROM (SELECT d.datname::pg_catalog.text AS name, d.xmin FROM pg_catalog.pg_database AS d
          WHERE d.datname OPERATOR(pg_catalog.<>) pg_catalog.current_database()
          UNION ALL SELECT t.spcname, t.xmin FROM pg_catalog.pg_tablespace AS t
          UNION ALL SELECT l.label, l.xmin FROM pg_catalog.pg_shseclabel AS l
          UNION ALL SELECT o.roname, o.xmin FROM pg_catalog.pg_replication_origin AS o) AS r (name, xmin)
    CROSS JOIN LATERAL (SELECT pg_catalog.age(own.id::pg_catalog.xid) OPERATOR(pg_catalog.-) pg_catalog.age(r.xmin)
                        AS behind) AS s
    WHERE CASE WHEN s.behind OPERATOR(pg_catalog.>=) 0
               THEN pg_catalog.pg_xact_status((own.id::pg_catalog.text::pg_catalog.int8 OPERATOR(pg_catalog.+) s.behind)
                                              ::pg_catalog.text::pg_catalog.xid8)
                    OPERATOR(pg_catalog.=) 'in progress' END
    UNION ALL
    SELECT s.subname FROM pg_catalog.pg_subscription AS s
    JOIN pg_catalog.pg_database AS d ON d.oid OPERATOR(pg_catalog.=) s.subdbid
    WHERE d.datname OPERATOR(pg_catalog.=) pg_catalog.current_database()
) AS w
WHERE own.id IS NOT NULL
