-- Rewrites claim: a common table expression finds the job. Harmless: it finds the same job, and locks it the same way.

CREATE OR REPLACE FUNCTION claim(for_worker text, at timestamptz) RETURNS bigint
LANGUAGE sql
AS $$
    SELECT bury(at);
    WITH next AS MATERIALIZED (
        SELECT j.id FROM jobs AS j
         WHERE (j.state = 'queued' AND j.run_at <= at)
            OR (j.state = 'running' AND j.lease_until <= at)
         ORDER BY j.run_at, j.id
         FETCH FIRST 1 ROW ONLY
         FOR UPDATE SKIP LOCKED
    )
    UPDATE jobs
       SET state = 'running', attempts = jobs.attempts + 1, worker = for_worker, lease_until = at + lease()
      FROM next
     WHERE jobs.id = next.id
    RETURNING jobs.id
$$;
