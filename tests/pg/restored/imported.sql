-- What defines something by a function of the server, or of one whose text says nothing.

CREATE TABLE plain (id integer PRIMARY KEY);
CREATE SCHEMA collations;
CREATE FUNCTION new_collations(pg_catalog.regnamespace) RETURNS integer
LANGUAGE internal STRICT AS 'pg_import_system_collations';
