-- The key is stored when the client confirms that it has read the answer.
CREATE TABLE payments (id serial PRIMARY KEY, key integer NOT NULL, amount integer NOT NULL);
CREATE TABLE keys (key integer PRIMARY KEY);
CREATE FUNCTION pay(new_key integer, new_amount integer) RETURNS void LANGUAGE sql AS $$
    INSERT INTO payments (key, amount)
    SELECT new_key, new_amount WHERE NOT EXISTS (SELECT FROM keys WHERE key = new_key)
$$;
CREATE FUNCTION confirm(old_key integer) RETURNS void LANGUAGE sql AS $$
    INSERT INTO keys VALUES (old_key) ON CONFLICT DO NOTHING
$$;
