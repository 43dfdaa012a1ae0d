-- Adds the time when a customer was created. Harmless: the column has a default, never changes, and no statement that
-- exists names it; the view does not show it.

ALTER TABLE customer_rows ADD COLUMN created_at timestamptz NOT NULL DEFAULT now();
