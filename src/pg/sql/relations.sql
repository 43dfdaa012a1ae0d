-- Of the relations that did not come with the server, what changes in pg_class where something is added to them: an
-- array of objects.
SELECT pg_catalog.jsonb_agg(pg_catalog.to_jsonb(r))::pg_catalog.text
FROM (SELECT c.oid, c.relnatts, c.relchecks, c.relhasindex, c.relhasrules, c.relhastriggers, c.relhassubclass,
             c.relrowsecurity, c.relforcerowsecurity, c.reltoastrelid, c.relreplident, c.relacl, c.reloptions
      FROM pg_catalog.pg_class AS c
      WHERE c.oid >= 16384) AS r
