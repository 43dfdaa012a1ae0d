-- Functions that can't be called like others, or raise what is no error.
CREATE TABLE item (id int PRIMARY KEY, price int);
CREATE FUNCTION a(OUT r record) LANGUAGE sql AS $$ SELECT ROW(1, 2) $$;
CREATE FUNCTION b(OUT r record, OUT n int) LANGUAGE sql AS $$ SELECT ROW(1, 2), 3 $$;
CREATE FUNCTION c(INOUT r record) LANGUAGE plpgsql AS $$ BEGIN END $$;
CREATE FUNCTION price(n int) RETURNS int LANGUAGE sql AS 'SELECT n';
CREATE FUNCTION price(n int, discount int DEFAULT 0, extra int DEFAULT 0) RETURNS int LANGUAGE sql AS 'SELECT n - discount';
CREATE FUNCTION price() RETURNS int LANGUAGE sql AS 'SELECT 1';
CREATE FUNCTION cost(n int DEFAULT 1) RETURNS int LANGUAGE sql AS 'SELECT n';
CREATE FUNCTION cost(n text DEFAULT '', m int DEFAULT 2) RETURNS int LANGUAGE sql AS 'SELECT m';
CREATE FUNCTION warn(x int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    RAISE WARNING 'old' USING ERRCODE = 'deprecated_feature';
    INSERT INTO item VALUES (x) ON CONFLICT DO NOTHING;
END $$;
CREATE FUNCTION fail(x int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF x > 0 THEN RAISE EXCEPTION 'old' USING ERRCODE = '01P01'; END IF;
    RAISE EXCEPTION 'no such name' USING ERRCODE = 'no_such_condition';
END $$;
CREATE FUNCTION total(VARIADIC n int[]) RETURNS bigint LANGUAGE sql AS 'SELECT sum(x) FROM unnest(n) AS x';
CREATE FUNCTION same(x anyelement) RETURNS anyelement LANGUAGE sql AS 'SELECT x';
CREATE FUNCTION look(OUT c refcursor) LANGUAGE plpgsql AS $$ BEGIN OPEN c FOR SELECT * FROM item; END $$;
CREATE PROCEDURE tidy(INOUT n int) LANGUAGE plpgsql AS $$ BEGIN DELETE FROM item WHERE price > n; END $$;
