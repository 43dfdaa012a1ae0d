-- The key is stored with the effect.
CREATE TABLE payments (id serial PRIMARY KEY, key integer NOT NULL, amount integer NOT NULL);
CREATE TABLE keys (key integer PRIMARY KEY);
CREATE FUNCTION pay(new_key integer, new_amount integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO keys VALUES (new_key) ON CONFLICT DO NOTHING;
    IF FOUND THEN
        INSERT INTO payments (key, amount) VALUES (new_key, new_amount);
    END IF;
END $$;
CREATE FUNCTION confirm(old_key integer) RETURNS void LANGUAGE sql AS $$ SELECT $$;
