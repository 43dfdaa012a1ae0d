-- Rewrites heartbeat and complete in SQL. Harmless: the id is unique, so one row is updated or none.

CREATE OR REPLACE FUNCTION heartbeat(job bigint, by_worker text, at timestamptz) RETURNS boolean
LANGUAGE sql
AS $$
    WITH held AS (
        UPDATE jobs SET lease_until = at + lease()
         WHERE id = job AND state = 'running' AND worker = by_worker AND lease_until > at
        RETURNING id
    )
    SELECT EXISTS (SELECT FROM held)
$$;

CREATE OR REPLACE FUNCTION complete(job bigint, by_worker text, at timestamptz) RETURNS boolean
LANGUAGE sql
AS $$
    WITH held AS (
        UPDATE jobs SET state = 'done', worker = NULL, lease_until = NULL
         WHERE id = job AND state = 'running' AND worker = by_worker AND lease_until > at
        RETURNING id
    )
    SELECT count(*) = 1 FROM held
$$;
