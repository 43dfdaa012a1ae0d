-- Leaves the relations of $1 only (see relations.sql), as they were. That they are written to, and be it the same, has
-- every session look at them anew, as after any DDL.
WITH kept AS (
    SELECT *
    FROM pg_catalog.jsonb_to_recordset($1::pg_catalog.jsonb)
        AS r (oid pg_catalog.oid, relnatts pg_catalog.int2, relchecks pg_catalog.int2, relhasindex pg_catalog.bool,
              relhasrules pg_catalog.bool, relhastriggers pg_catalog.bool, relhassubclass pg_catalog.bool,
              relrowsecurity pg_catalog.bool, relforcerowsecurity pg_catalog.bool, reltoastrelid pg_catalog.oid,
              relreplident pg_catalog."char", relacl pg_catalog.aclitem[], reloptions pg_catalog.text[])
), gone AS (
    DELETE FROM pg_catalog.pg_class AS c
    WHERE c.oid >= 16384 AND NOT EXISTS (SELECT FROM kept WHERE kept.oid = c.oid)
)
UPDATE pg_catalog.pg_class AS c
SET relnatts = r.relnatts, relchecks = r.relchecks, relhasindex = r.relhasindex, relhasrules = r.relhasrules,
    relhastriggers = r.relhastriggers, relhassubclass = r.relhassubclass, relrowsecurity = r.relrowsecurity,
    relforcerowsecurity = r.relforcerowsecurity, reltoastrelid = r.reltoastrelid, relreplident = r.relreplident,
    relacl = r.relacl, reloptions = r.reloptions
FROM kept AS r
WHERE c.oid = r.oid
