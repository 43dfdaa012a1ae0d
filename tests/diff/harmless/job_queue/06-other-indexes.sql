-- Replaces the index of jobs to claim by one for each state. Harmless: only the plans may change, and claim orders jobs up
-- to their unique ids.

DROP INDEX jobs_run_at_id_idx;
CREATE INDEX jobs_to_run ON jobs (run_at, id) WHERE state = 'queued';
CREATE INDEX jobs_to_watch ON jobs (lease_until) WHERE state = 'running';
