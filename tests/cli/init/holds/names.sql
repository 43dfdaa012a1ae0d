-- Names: longer together than a name may be, of rules that would be the same, with line ends, quotes and other letters.
CREATE SCHEMA warehouse_management_reporting;
CREATE TABLE warehouse_management_reporting.daily_inventory_movement_summary_by_site (id int PRIMARY KEY);
CREATE TABLE recurring_transaction_rules_invoice_custom_sections_and_more_of (
    id serial PRIMARY KEY,
    n int NOT NULL DEFAULT 1 CONSTRAINT recurring_transaction_rules_invoice_custom_sections_and_more_01 CHECK (n > 0)
        CONSTRAINT recurring_transaction_rules_invoice_custom_sections_and_more_02 CHECK (n < 90),
    site int REFERENCES warehouse_management_reporting.daily_inventory_movement_summary_by_site
);
CREATE TABLE versions (id serial PRIMARY KEY, label text NOT NULL DEFAULT 'x');
CREATE TABLE default_versions (id int PRIMARY KEY);
CREATE TABLE again_versions (id serial PRIMARY KEY, id_2 serial NOT NULL);
CREATE TABLE null_id_2_into_again_versions (id int PRIMARY KEY);
CREATE FUNCTION versions(n int, "N" int, "n
" int) RETURNS int LANGUAGE sql AS 'SELECT 1';
CREATE TABLE "two
lines" (
    id int PRIMARY KEY,
    "a
  b" text DEFAULT E'x\ny' CONSTRAINT "no
tab" CHECK ("a
  b" <> E'a\tb\\' AND "a
  b" <> 'it''s "' AND "a
  b" <> E'\u0085'),
    "c\d	e" int NOT NULL GENERATED ALWAYS AS (id * 2) STORED,
    UNIQUE ("a
  b", id)
);
CREATE UNIQUE INDEX ON "two
lines" (lower("a
  b"), id);
CREATE TABLE "Größe (cm)" (
    "Schlüssel" int PRIMARY KEY, "sel""ect" text UNIQUE, "two" int REFERENCES "two
lines" ON DELETE CASCADE, "a:b" int, "$1" text, "{}" text
);
CREATE TABLE "größe (CM)" ("key" int PRIMARY KEY REFERENCES "Größe (cm)" ON UPDATE CASCADE ON DELETE CASCADE, "tables" int, "row" int);
