-- Adds a check that the others imply. Harmless: it never fails first, because checks run in the order of their names.

ALTER TABLE jobs ADD CONSTRAINT within_max_attempts CHECK (state <> 'running' OR attempts <= max_attempts) NOT VALID;
ALTER TABLE jobs VALIDATE CONSTRAINT within_max_attempts;
