CREATE TABLE pupils (name text PRIMARY KEY, points integer NOT NULL, passed boolean NOT NULL DEFAULT false);
INSERT INTO pupils VALUES ('ann', 40), ('bob', 55), ('eve', 70);
CREATE TABLE exams (needed integer NOT NULL);
INSERT INTO exams VALUES (50);
CREATE FUNCTION assess(who text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE least integer := (SELECT needed FROM exams);
BEGIN
    UPDATE pupils SET passed = points >= least WHERE name = who;
END $$;
