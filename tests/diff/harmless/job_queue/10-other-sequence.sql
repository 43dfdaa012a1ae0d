-- Renames the sequence of ids, lets a session take twenty at once, and gives the payload a domain. Harmless: the server
-- still makes all ids, the next one is the same, and the domain has no constraint.

CREATE DOMAIN payload AS text;
ALTER SEQUENCE jobs_id_seq RENAME TO job_ids;
ALTER TABLE jobs
    ALTER COLUMN id SET CACHE 20,
    ALTER COLUMN payload TYPE payload;
