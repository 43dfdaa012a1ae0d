-- Roles belong to the server, so this one rolls them back.
CREATE ROLE mutants_reader;
CREATE ROLE mutants_writer;
CREATE ROLE mutants_owner;
CREATE ROLE mutants_free BYPASSRLS;

CREATE TABLE notes (owner text, public boolean, body text);
ALTER TABLE notes ENABLE ROW LEVEL SECURITY;
GRANT SELECT, INSERT ON notes TO mutants_reader, mutants_writer;
GRANT UPDATE, DELETE ON notes TO mutants_writer;
CREATE POLICY own ON notes TO mutants_reader USING (owner = current_user);
CREATE POLICY "see all" ON notes FOR SELECT USING (public);
CREATE POLICY write ON notes FOR INSERT TO mutants_writer, mutants_reader WITH CHECK (owner = current_user);
CREATE POLICY mend ON notes FOR UPDATE TO mutants_writer USING (public) WITH CHECK (EXISTS (SELECT FROM notes AS n));
CREATE POLICY empty ON notes AS RESTRICTIVE FOR DELETE TO mutants_writer USING (body = '');
CREATE POLICY never ON notes AS RESTRICTIVE TO mutants_writer USING (true) WITH CHECK (false);
CREATE POLICY unused ON notes TO mutants_owner USING (public);
CREATE POLICY idle ON notes FOR DELETE TO mutants_reader USING (true);

CREATE SCHEMA "Odd";
CREATE TABLE "Odd"."the notes" (body text);
ALTER TABLE "Odd"."the notes" OWNER TO mutants_owner;
ALTER TABLE "Odd"."the notes" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "Odd"."the notes" FORCE ROW LEVEL SECURITY;
CREATE POLICY of_owner ON "Odd"."the notes" TO mutants_owner USING (true);

-- What holds for nobody, or does not hold at all.
CREATE TABLE closed (body text);
ALTER TABLE closed ENABLE ROW LEVEL SECURITY;
ALTER TABLE closed FORCE ROW LEVEL SECURITY;
GRANT ALL ON closed TO mutants_free;
CREATE TABLE off (body text);
ALTER TABLE off FORCE ROW LEVEL SECURITY;
GRANT ALL ON off TO PUBLIC;
CREATE POLICY none ON off FOR SELECT USING (true);

CREATE VIEW seen WITH (security_barrier) AS SELECT body FROM notes;
GRANT SELECT (body) ON seen TO mutants_reader;
CREATE VIEW checked AS SELECT body FROM closed WHERE body <> '' WITH LOCAL CHECK OPTION;

SELECT current_setting('server_version_num')::integer >= 150000 AS since_15 \gset
\if :since_15
CREATE VIEW invoked WITH (security_invoker = on) AS SELECT body FROM notes;
GRANT SELECT ON invoked TO mutants_reader;
\endif
