-- The migration takes the times of waiting jobs, which are UTC, for those of Berlin: they run an hour early or more.
-- shortest: 1 request and the migration after it
--   SELECT enqueue('a', 1, '2024-01-01')
--   migrate
-- New jobs have the right time: only rows that exist show the fault.

ALTER TABLE jobs ALTER COLUMN run_at TYPE timestamptz USING run_at AT TIME ZONE 'UTC' AT TIME ZONE 'Europe/Berlin';
