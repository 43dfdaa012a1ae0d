-- Renames the constraints of jobs. Harmless: they refuse the same rows with the same SQLSTATEs, and are checked in the
-- same order, which is that of their names.

ALTER TABLE jobs RENAME CONSTRAINT attempts_in_bounds TO jobs_attempts_check;
ALTER TABLE jobs RENAME CONSTRAINT running_has_lease TO jobs_lease_check;
ALTER TABLE jobs RENAME CONSTRAINT running_has_worker TO jobs_worker_check;
ALTER TABLE jobs RENAME CONSTRAINT tried_once TO max_attempts_check;
