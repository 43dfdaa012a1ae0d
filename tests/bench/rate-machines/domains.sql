-- A registry of domain names. A name that nobody has keeps its row, with the history of its owners.
CREATE DOMAIN host AS text CHECK (VALUE ~ '^[a-z][a-z0-9-]*$' AND length(VALUE) <= 20);
CREATE TYPE standing AS ENUM ('active', 'lapsed', 'free');

CREATE TABLE domains (
    name     host PRIMARY KEY,
    owner    text,
    standing standing NOT NULL DEFAULT 'active',
    paid_to  integer NOT NULL,                    -- the year
    locked   boolean NOT NULL DEFAULT false,      -- may not be transferred
    CHECK ((owner IS NULL) = (standing = 'free'))
);
CREATE TABLE ownership (
    name  host NOT NULL REFERENCES domains ON UPDATE CASCADE,
    owner text NOT NULL
);

CREATE FUNCTION keep_history() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.owner IS NOT NULL AND (TG_OP = 'INSERT' OR NEW.owner IS DISTINCT FROM OLD.owner) THEN
        INSERT INTO ownership VALUES (NEW.name, NEW.owner);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER keep_history AFTER INSERT OR UPDATE ON domains FOR EACH ROW EXECUTE FUNCTION keep_history();

-- True if the name was free.
CREATE FUNCTION register(which host, who text, year integer) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO domains (name, owner, paid_to) VALUES (which, who, year)
    ON CONFLICT (name) DO UPDATE
    SET owner = EXCLUDED.owner, paid_to = EXCLUDED.paid_to, standing = EXCLUDED.standing
    WHERE domains.standing = 'free';
    RETURN FOUND;
END $$;

CREATE FUNCTION transfer(which host, receiver text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    UPDATE domains SET owner = receiver WHERE name = which AND standing = 'active' AND NOT locked;
    RETURN FOUND;
END $$;

-- A name that was not paid for lapses first, and is free when it is looked at again.
CREATE FUNCTION review(which host, year integer) RETURNS standing LANGUAGE sql AS $$
    UPDATE domains SET
        standing = CASE standing WHEN 'lapsed' THEN 'free' WHEN 'active' THEN 'lapsed' ELSE standing END::standing,
        owner = CASE standing WHEN 'active' THEN owner END
    WHERE name = which AND paid_to < year
    RETURNING standing
$$;

CREATE VIEW whois AS SELECT name, owner, standing FROM domains WHERE standing <> 'free';
