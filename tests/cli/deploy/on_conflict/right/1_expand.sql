ALTER TABLE preferences ADD COLUMN tenant integer NOT NULL DEFAULT 1;
ALTER TABLE preferences ADD UNIQUE (tenant, person, name);
