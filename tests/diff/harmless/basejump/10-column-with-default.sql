-- Adds the time when an account was created. Harmless: the column has a default, and no statement that exists names it.

ALTER TABLE basejump.accounts ADD COLUMN created_at timestamptz NOT NULL DEFAULT now();
