-- Rewrites enqueue in PL/pgSQL. Harmless: it inserts the same row and returns its id.

CREATE OR REPLACE FUNCTION enqueue(payload text, max_attempts integer, run_at timestamptz) RETURNS bigint
LANGUAGE plpgsql
AS $$
DECLARE
    job jobs.id%TYPE;
BEGIN
    INSERT INTO jobs (payload, max_attempts, run_at)
        VALUES (enqueue.payload, enqueue.max_attempts, enqueue.run_at)
        RETURNING id INTO job;
    RETURN job;
END
$$;
