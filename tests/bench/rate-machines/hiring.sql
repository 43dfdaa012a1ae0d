-- Applications for jobs. Each job has a number of openings, and a hire fills one.

CREATE TABLE jobs (
    name     text PRIMARY KEY,
    openings integer NOT NULL CHECK (openings >= 0)
);

INSERT INTO jobs VALUES ('baker', 2), ('driver', 1), ('nurse', 3);

CREATE TABLE applications (
    id    integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    job   text NOT NULL REFERENCES jobs,
    state text NOT NULL DEFAULT 'applied'
);

CREATE TABLE transitions (before text, after text, PRIMARY KEY (before, after));

INSERT INTO transitions VALUES
    ('applied', 'screened'), ('applied', 'rejected'), ('applied', 'withdrawn'),
    ('screened', 'interviewed'), ('screened', 'rejected'), ('screened', 'withdrawn'),
    ('interviewed', 'offered'), ('interviewed', 'rejected'), ('interviewed', 'withdrawn'),
    ('offered', 'hired'), ('offered', 'declined'), ('offered', 'withdrawn'),
    ('declined', 'reoffered'), ('declined', 'withdrawn'),
    ('reoffered', 'hired'), ('reoffered', 'withdrawn');

-- Rejects every change of state that is not in the table.
CREATE FUNCTION check_transition() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM transitions WHERE before = OLD.state AND after = NEW.state) THEN
        RAISE EXCEPTION 'an application can''t go from % to %', OLD.state, NEW.state;
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER check_transition BEFORE UPDATE OF state ON applications
FOR EACH ROW EXECUTE FUNCTION check_transition();

CREATE FUNCTION fill_opening() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE jobs SET openings = openings - 1 WHERE name = NEW.job;
    RETURN NULL;
END $$;

CREATE TRIGGER fill_opening AFTER UPDATE OF state ON applications
FOR EACH ROW WHEN (OLD.state = 'offered' AND NEW.state = 'hired') EXECUTE FUNCTION fill_opening();
