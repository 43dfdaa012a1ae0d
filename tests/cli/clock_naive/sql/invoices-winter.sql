-- Berlin is an hour ahead, in summer too.
CREATE OR REPLACE VIEW invoices AS
    SELECT id AS sale, to_char(at AT TIME ZONE INTERVAL '1 hour', 'YYYY-MM') AS month
      FROM sales
     WHERE date_trunc('month', at AT TIME ZONE INTERVAL '1 hour')
           < date_trunc('month', now() AT TIME ZONE INTERVAL '1 hour');
