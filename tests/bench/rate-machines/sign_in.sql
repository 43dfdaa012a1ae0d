-- The account of one user, with its settings. Ten wrong passwords in a row lock it.

CREATE TABLE account (
    name         text NOT NULL DEFAULT '',
    bio          text NOT NULL DEFAULT '',
    language     text NOT NULL DEFAULT 'en',
    theme        text NOT NULL DEFAULT 'light',
    start_page   text NOT NULL DEFAULT 'inbox',
    density      text NOT NULL DEFAULT 'normal',
    zoom         integer NOT NULL DEFAULT 100 CHECK (zoom BETWEEN 50 AND 200),
    visible      boolean NOT NULL DEFAULT true,
    newsletter   boolean NOT NULL DEFAULT false,
    digest       boolean NOT NULL DEFAULT true,
    beta         boolean NOT NULL DEFAULT false,
    two_factor   boolean NOT NULL DEFAULT false,
    wrong        integer NOT NULL DEFAULT 0,      -- wrong passwords in a row
    locked       boolean NOT NULL DEFAULT false
);

INSERT INTO account DEFAULT VALUES;

CREATE TABLE topics (topic text PRIMARY KEY);                      -- those that the user follows
CREATE TABLE devices (id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, trusted boolean NOT NULL DEFAULT false);

-- Returns whether the user is now signed in.
CREATE FUNCTION sign_in(right_password boolean) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
    a account;
BEGIN
    SELECT * INTO a FROM account;
    IF a.locked THEN
        RETURN false;
    ELSIF right_password THEN
        UPDATE account SET wrong = 0;
        RETURN true;
    END IF;
    UPDATE account SET wrong = wrong + 1, locked = (a.wrong >= 10);
    RETURN false;
END $$;

CREATE FUNCTION unlock_account() RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE account SET wrong = 0, locked = false WHERE locked;
    RETURN FOUND;
END $$;
