-- The months are those of UTC.
CREATE OR REPLACE VIEW invoices AS
    SELECT id AS sale, to_char(at, 'YYYY-MM') AS month FROM sales
     WHERE date_trunc('month', at) < date_trunc('month', now());
