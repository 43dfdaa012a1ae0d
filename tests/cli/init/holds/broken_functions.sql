-- Functions that can fail in their own way: of an extension, over tables that are not there, or without an end.
CREATE EXTENSION IF NOT EXISTS pgcrypto;
CREATE TABLE token (id int PRIMARY KEY, secret text, kind text DEFAULT encode(gen_random_bytes(8), 'hex'));
CREATE FUNCTION secret(size int) RETURNS bytea LANGUAGE plpgsql AS $$ BEGIN RETURN gen_random_bytes(size); END $$;
CREATE FUNCTION archive(which int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF which % 50 = 7 THEN INSERT INTO archive_of_token SELECT id FROM token WHERE id = which; END IF;
    IF which % 50 = 8 THEN PERFORM FROM old.token WHERE id = which; END IF;
END $$;
CREATE FUNCTION count_down(size int, step int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE n int := 1;
BEGIN
    IF size <> 1 OR step <> 0 THEN RETURN 0; END IF;
    WHILE n > 0 LOOP n := n + step; END LOOP;
    RETURN n;
END $$;
CREATE FUNCTION log_token() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.secret LIKE '%Z%' THEN DELETE FROM "Old Tokens" WHERE id = NEW.id; END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER l AFTER INSERT ON token FOR EACH ROW EXECUTE FUNCTION log_token();
