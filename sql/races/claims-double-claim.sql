-- Planted in claims.sql: claim looks for a job without locking it. Two workers find the same one. The second waits for the
-- first, and then writes its own name over the first's.
--
-- shortest: 2 steps, 1 switch, 0 gates
--   A1  claim(worker="ann")
--   B1  claim(worker="ann")

CREATE OR REPLACE FUNCTION claim(for_worker text) RETURNS integer
LANGUAGE sql STRICT
AS $$
    UPDATE jobs SET worker = for_worker
     WHERE id = (SELECT id FROM jobs WHERE worker IS NULL ORDER BY id LIMIT 1)
    RETURNING id
$$;
