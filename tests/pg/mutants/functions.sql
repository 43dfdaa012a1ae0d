CREATE ROLE mutants_caller;
CREATE TYPE mood AS ENUM ('fine');
CREATE SCHEMA "Odd";
CREATE FUNCTION "Odd"."the mood"(text, mood[]) RETURNS mood LANGUAGE sql STABLE STRICT
    SECURITY DEFINER SET search_path = public, pg_temp SET "my.Setting" = 'a=b' AS 'SELECT ''fine''::public.mood';
CREATE FUNCTION plain() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
CREATE FUNCTION twice(integer) RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT 2 * $1';
CREATE PROCEDURE work(n integer) LANGUAGE sql AS '';
CREATE AGGREGATE total(integer) (SFUNC = int4pl, STYPE = integer);
CREATE FUNCTION own() RETURNS void LANGUAGE sql IMMUTABLE AS '';
REVOKE EXECUTE ON FUNCTION own FROM PUBLIC;
CREATE FUNCTION several(integer) RETURNS SETOF integer LANGUAGE sql STABLE AS 'SELECT 1';
