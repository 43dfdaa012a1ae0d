-- What a TRUNCATE leaves as it is in pg_class: of objects that did not come with the server, and of the others where
-- they were written after the mark ($1: the first transaction after it).
SELECT pg_catalog.md5(pg_catalog.string_agg((pg_catalog.to_jsonb(c)
           - '{relfilenode,relpages,reltuples,relallvisible,relallfrozen,relfrozenxid,relminmxid}'
             ::pg_catalog.text[])::pg_catalog.text, ' ' ORDER BY c.oid))
FROM pg_catalog.pg_class AS c
WHERE c.oid >= 16384 OR pg_catalog.age(c.xmin) <= pg_catalog.age($1::pg_catalog.xid)
