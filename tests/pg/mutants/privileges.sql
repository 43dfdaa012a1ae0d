-- Roles belong to the server, so this one rolls them back.
CREATE ROLE mutants_app;
CREATE ROLE mutants_stranger;
CREATE ROLE mutants_group;
CREATE ROLE mutants_member IN ROLE mutants_group;
CREATE ROLE mutants_admin SUPERUSER;

CREATE TABLE notes (id integer, title text, body text);
GRANT SELECT, UPDATE, TRUNCATE, REFERENCES, TRIGGER ON notes TO mutants_app;
GRANT UPDATE (title, body) ON notes TO mutants_app;
GRANT SELECT ON notes TO mutants_group, mutants_admin;
GRANT SELECT, INSERT (title, body) ON notes TO mutants_member;
GRANT SELECT (id) ON notes TO PUBLIC;

CREATE SCHEMA "Odd";
GRANT USAGE ON SCHEMA "Odd" TO mutants_app;
CREATE TYPE "Odd"."the mood" AS ENUM ('fine');
CREATE FUNCTION "Odd".plain("the mood" "Odd"."the mood", integer[]) RETURNS void LANGUAGE sql AS '';
CREATE VIEW "Odd"."see it" AS SELECT 1 AS one;
GRANT SELECT ON "Odd"."see it" TO mutants_app;

CREATE SEQUENCE numbers;
GRANT USAGE ON SEQUENCE numbers TO mutants_app;
GRANT USAGE, SELECT, UPDATE ON SEQUENCE numbers TO mutants_group;

CREATE PROCEDURE closed() LANGUAGE sql AS '';
REVOKE EXECUTE ON PROCEDURE closed FROM PUBLIC;
CREATE FUNCTION granted() RETURNS void LANGUAGE sql AS '';
REVOKE EXECUTE ON FUNCTION granted FROM PUBLIC;
GRANT EXECUTE ON FUNCTION granted TO mutants_app, mutants_group;
CREATE FUNCTION fired() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';

-- Every role has it already.
CREATE TABLE shared (id integer);
GRANT DELETE ON shared TO mutants_app, mutants_stranger, mutants_group;

-- Passed on: not without what was made of it.
CREATE TABLE passed (id integer);
GRANT SELECT ON passed TO mutants_app WITH GRANT OPTION;
SET ROLE mutants_app;
GRANT SELECT ON passed TO mutants_group;
RESET ROLE;
