-- Sales, and the invoices of all months that are over in Berlin.
CREATE TABLE sales (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT now()
);

CREATE VIEW invoices AS
    SELECT id AS sale, to_char(at AT TIME ZONE 'Europe/Berlin', 'YYYY-MM') AS month
      FROM sales
     WHERE date_trunc('month', at AT TIME ZONE 'Europe/Berlin') < date_trunc('month', now() AT TIME ZONE 'Europe/Berlin');
