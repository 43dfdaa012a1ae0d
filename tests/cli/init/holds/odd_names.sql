-- Names that SQL, YAML, the model or a format would take for something else.
CREATE SCHEMA "Über Schema"; CREATE SCHEMA "a.b"; CREATE SCHEMA "select";
CREATE TABLE "Über Schema"."Ünï Tàble" ("ID" int PRIMARY KEY, "日本語" text UNIQUE, "naïve col" int CHECK ("naïve col" > 0),
    "x.y" text, "x""y" text NOT NULL DEFAULT 'a''b');
CREATE TABLE "a.b"."c.d" (id int PRIMARY KEY,
    "Über Schema" int REFERENCES "Über Schema"."Ünï Tàble" ON UPDATE CASCADE ON DELETE SET NULL);
CREATE TABLE "a.b".c (id int PRIMARY KEY);
CREATE TABLE "select"."from" ("where" int PRIMARY KEY, "group" text, "order" int REFERENCES "a.b"."c.d",
    "user" text DEFAULT current_user, "limit" int GENERATED ALWAYS AS ("where" + 1) STORED);
CREATE TABLE "select"."table" ("from" int REFERENCES "select"."from", "all" boolean DEFAULT true, PRIMARY KEY ("from"));
CREATE TABLE public."users" (id int PRIMARY KEY); CREATE TABLE "select".users (id int PRIMARY KEY);
    CREATE TABLE public."Users" (id int PRIMARY KEY, u int REFERENCES users, v int REFERENCES "select".users);
CREATE TABLE t123456789012345678901234567890123456789012345678901234567890 (id int PRIMARY KEY,
    c123456789012345678901234567890123456789012345678901234567890 int UNIQUE REFERENCES users);
CREATE TABLE "1st" (id int PRIMARY KEY); CREATE TABLE "__" (id int PRIMARY KEY); CREATE TABLE "😀" ("😀" int PRIMARY KEY);
    CREATE TABLE "%s%d" (id int PRIMARY KEY, "%s" text); CREATE TABLE "$rows" ("$name" int PRIMARY KEY, ":key" int,
    "a:b" text NOT NULL, "c::d" text);
CREATE TABLE "back\slash" ("a\b" int PRIMARY KEY, "'q'" text CHECK ("'q'" <> '\'), "#c" int, "- d" int, "e: f" int,
    "{g}" int, "[h]" text);
CREATE FUNCTION "select"."do It"("In" int, "a b" text, "a_b" text) RETURNS int LANGUAGE sql AS 'SELECT 1';
CREATE FUNCTION "Über Schema"."ö"("ä" int) RETURNS int LANGUAGE sql AS 'SELECT 1';
