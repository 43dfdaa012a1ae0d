-- Applications for a visa, and the numbers that each country's office publishes.
CREATE TYPE stage AS ENUM ('filed', 'incomplete', 'checked', 'interviewed', 'refused', 'appealed', 'granted', 'closed');

CREATE TABLE moves (
    from_stage stage,
    to_stage   stage,
    PRIMARY KEY (from_stage, to_stage)
);
INSERT INTO moves VALUES
    ('filed', 'incomplete'), ('filed', 'checked'), ('filed', 'closed'),
    ('incomplete', 'filed'), ('incomplete', 'closed'),
    ('checked', 'interviewed'), ('checked', 'granted'), ('checked', 'closed'),
    ('interviewed', 'granted'), ('interviewed', 'refused'), ('interviewed', 'closed'),
    ('refused', 'appealed'), ('refused', 'closed'),
    ('appealed', 'granted'), ('appealed', 'refused');

CREATE TABLE office (
    country char(2) PRIMARY KEY,
    open    integer NOT NULL DEFAULT 0,         -- neither granted nor closed
    refused integer NOT NULL DEFAULT 0,         -- refusals that stand, or that an appeal has not yet overturned
    granted integer NOT NULL DEFAULT 0
);

CREATE TABLE application (
    number  bigint GENERATED ALWAYS AS IDENTITY (START WITH 1000) PRIMARY KEY,
    country char(2) NOT NULL REFERENCES office,
    at      stage NOT NULL DEFAULT 'filed',
    fee     numeric(20,2) NOT NULL CHECK (fee >= 0),
    final   boolean GENERATED ALWAYS AS (at IN ('granted', 'closed')) STORED
);

CREATE FUNCTION check_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM moves WHERE from_stage = OLD.at AND to_stage = NEW.at) THEN
        RAISE EXCEPTION 'no way from % to %', OLD.at, NEW.at
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'legal_move';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER check_move BEFORE UPDATE OF at ON application FOR EACH ROW EXECUTE FUNCTION check_move();

CREATE FUNCTION count_application() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        UPDATE office SET open = open + 1 WHERE country = NEW.country;
        RETURN NULL;
    END IF;
    IF NEW.final AND NOT OLD.final THEN
        UPDATE office SET open = open - 1 WHERE country = NEW.country;
    END IF;
    IF NEW.at = 'refused' AND OLD.at = 'interviewed' THEN        -- not again after a vain appeal
        UPDATE office SET refused = refused + 1 WHERE country = NEW.country;
    ELSIF NEW.at = 'granted' AND OLD.at = 'refused' THEN         -- overturned
        UPDATE office SET refused = refused - 1, granted = granted + 1 WHERE country = NEW.country;
    ELSIF NEW.at = 'granted' THEN
        UPDATE office SET granted = granted + 1 WHERE country = NEW.country;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER count_application AFTER INSERT OR UPDATE ON application
FOR EACH ROW EXECUTE FUNCTION count_application();
