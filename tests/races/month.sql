CREATE TABLE posts (id integer GENERATED ALWAYS AS IDENTITY, month integer NOT NULL, amount integer NOT NULL);
CREATE TABLE now_open (month integer NOT NULL);
INSERT INTO now_open VALUES (1);
CREATE TABLE closings (month integer PRIMARY KEY, posts integer NOT NULL);
CREATE FUNCTION post(amount integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE m integer;
BEGIN
    SELECT month INTO m FROM now_open;
    INSERT INTO posts (month, amount) VALUES (m, amount);
END $$;
CREATE FUNCTION next_month() RETURNS void LANGUAGE sql AS 'UPDATE now_open SET month = month + 1';
CREATE FUNCTION close_last() RETURNS void LANGUAGE plpgsql AS $$
DECLARE m integer; n integer;
BEGIN
    SELECT month - 1 INTO m FROM now_open;
    SELECT count(*) INTO n FROM posts WHERE month = m;
    INSERT INTO closings VALUES (m, n) ON CONFLICT DO NOTHING;
END $$;
