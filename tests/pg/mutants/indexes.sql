CREATE SCHEMA "Odd";
CREATE TABLE "Odd"."the table" ("a b" integer PRIMARY KEY, c text COLLATE "C", d text, e integer);
CREATE UNIQUE INDEX "the index" ON "Odd"."the table" ("a b" DESC, lower(d) COLLATE "C", c text_pattern_ops NULLS FIRST)
    INCLUDE (e) WHERE e > 0;
CREATE UNIQUE INDEX again ON "Odd"."the table" ("a b");
CREATE INDEX plain ON "Odd"."the table" (e) WHERE e > 0;

CREATE TABLE notes (id integer, body text);
CREATE UNIQUE INDEX one_open ON notes (id) WHERE body IS NULL;
CREATE UNIQUE INDEX referred ON notes (body);
CREATE TABLE others (note text REFERENCES notes (body));

CREATE TABLE parts (region text, n integer) PARTITION BY LIST (region);
CREATE TABLE north PARTITION OF parts FOR VALUES IN ('north');
CREATE UNIQUE INDEX of_parts ON parts (region, n);

CREATE MATERIALIZED VIEW kept AS SELECT id FROM notes;
CREATE UNIQUE INDEX kept_ids ON kept (id);

SELECT current_setting('server_version_num')::integer >= 150000 AS since_15 \gset
\if :since_15
CREATE UNIQUE INDEX nulls ON others (note) NULLS NOT DISTINCT;
\endif
