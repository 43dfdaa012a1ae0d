-- A public schema whose functions run as their owner, a private one, claims in settings; policies that call functions.
CREATE SCHEMA auth;
CREATE SCHEMA app;
CREATE SCHEMA private;
DO $$ BEGIN CREATE ROLE web NOLOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
CREATE EXTENSION IF NOT EXISTS pgcrypto;
CREATE TABLE app.person (id serial PRIMARY KEY, first text NOT NULL CHECK (char_length(first) < 80), about text,
    created_at timestamp DEFAULT now());
CREATE TABLE private.person_account (person_id int PRIMARY KEY REFERENCES app.person ON DELETE CASCADE,
    email text NOT NULL UNIQUE CHECK (email ~* '^.+@.+\..+$'), password_hash text NOT NULL);
CREATE TYPE app.jwt AS (role text, person_id int, exp bigint);
CREATE FUNCTION app.register(first text, email text,
    password text) RETURNS app.person LANGUAGE plpgsql STRICT SECURITY DEFINER AS $$ DECLARE p app.person;
    BEGIN INSERT INTO app.person (first) VALUES (first) RETURNING * INTO p; INSERT INTO private.person_account VALUES (p.id,
    email, crypt(password, gen_salt('bf', 4))); RETURN p; END $$;
CREATE FUNCTION app.login(email text,
    password text) RETURNS app.jwt LANGUAGE plpgsql STRICT SECURITY DEFINER AS $$ DECLARE a private.person_account;
    BEGIN SELECT x.* INTO a FROM private.person_account AS x WHERE x.email = login.email;
    IF a.password_hash = crypt(password, a.password_hash) THEN RETURN ('web', a.person_id,
    extract(epoch FROM now() + interval '1 day'))::app.jwt; END IF; RETURN NULL; END $$;
CREATE FUNCTION app.me() RETURNS app.person LANGUAGE sql STABLE AS $$ SELECT * FROM app.person WHERE id = nullif(current_setting('jwt.claims.person_id',
    true), '')::int $$;
CREATE TABLE app.post (id serial PRIMARY KEY, author int NOT NULL DEFAULT nullif(current_setting('jwt.claims.person_id',
    true), '')::int REFERENCES app.person, headline text NOT NULL CHECK (char_length(headline) < 280), body text,
    topic text CHECK (topic IN ('a', 'b')), views int NOT NULL DEFAULT 0);
ALTER TABLE app.post ENABLE ROW LEVEL SECURITY;
ALTER TABLE app.person ENABLE ROW LEVEL SECURITY;
CREATE POLICY s ON app.post FOR SELECT USING (true);
CREATE POLICY i ON app.post FOR INSERT TO web WITH CHECK (author = nullif(current_setting('jwt.claims.person_id', true),
    '')::int);
CREATE POLICY u ON app.post FOR UPDATE TO web USING (author = nullif(current_setting('jwt.claims.person_id', true),
    '')::int);
CREATE POLICY s ON app.person FOR SELECT USING (true);
CREATE POLICY u ON app.person FOR UPDATE TO web USING (id = (app.me()).id);
GRANT USAGE ON SCHEMA app TO web;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA app TO web;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA app TO web;
CREATE FUNCTION app.person_latest(p app.person) RETURNS app.post LANGUAGE sql STABLE AS $$ SELECT * FROM app.post WHERE author = p.id ORDER BY id DESC LIMIT 1 $$;
CREATE TABLE app.tag (post int REFERENCES app.post ON DELETE CASCADE, word text NOT NULL, PRIMARY KEY (post,
    word)) PARTITION BY HASH (post);
CREATE TABLE app.tag0 PARTITION OF app.tag FOR VALUES WITH (MODULUS 3, REMAINDER 0);
CREATE TABLE app.tag1 PARTITION OF app.tag FOR VALUES WITH (MODULUS 3, REMAINDER 1);
CREATE TABLE app.tag2 PARTITION OF app.tag FOR VALUES WITH (MODULUS 3, REMAINDER 2);
ALTER TABLE app.tag1 ADD CHECK (word <> 'x'); 
