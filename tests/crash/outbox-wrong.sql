-- A message counts as sent when it is marked, which is another transaction.
CREATE TABLE outbox (id integer PRIMARY KEY, sent boolean NOT NULL DEFAULT false);
CREATE TABLE inbox (id serial PRIMARY KEY, message integer NOT NULL);
CREATE FUNCTION send(which integer) RETURNS void LANGUAGE sql AS $$
    INSERT INTO inbox (message) SELECT id FROM outbox WHERE id = which AND NOT sent
$$;
