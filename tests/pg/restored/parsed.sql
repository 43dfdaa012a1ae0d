-- A function whose body the server keeps parsed (PostgreSQL 14), so that pg_proc has no text of it.

CREATE TABLE plain (id integer PRIMARY KEY);
CREATE SCHEMA collations;
CREATE FUNCTION new_collations() RETURNS integer
BEGIN ATOMIC
    SELECT pg_import_system_collations('collations');
END;
