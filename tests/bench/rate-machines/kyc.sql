-- Know your customer: a case moves through its states, and only as the table of moves says.
CREATE TYPE kyc_state AS ENUM ('draft', 'submitted', 'in_review', 'info_needed', 'escalated', 'approved',
                               'rejected', 'expired');
CREATE TABLE kyc_moves (
    old_state kyc_state NOT NULL,
    new_state kyc_state NOT NULL,
    PRIMARY KEY (old_state, new_state)
);
INSERT INTO kyc_moves VALUES
    ('draft', 'submitted'), ('submitted', 'in_review'), ('submitted', 'draft'),
    ('in_review', 'info_needed'), ('in_review', 'escalated'), ('in_review', 'approved'), ('in_review', 'rejected'),
    ('info_needed', 'submitted'), ('info_needed', 'expired'),
    ('escalated', 'in_review'), ('escalated', 'approved'), ('escalated', 'rejected'),
    ('approved', 'expired'), ('expired', 'draft');

CREATE TABLE kyc_cases (
    id           integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    customer     text NOT NULL,
    state        kyc_state NOT NULL DEFAULT 'draft',
    documents    integer NOT NULL DEFAULT 0,
    officer      text,                           -- who made the last move
    escalated_by text,
    is_open      boolean GENERATED ALWAYS AS (state NOT IN ('approved', 'rejected', 'expired')) STORED
);
CREATE UNIQUE INDEX one_open_case ON kyc_cases (customer) WHERE is_open;

CREATE FUNCTION kyc_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.state = OLD.state THEN RETURN NEW; END IF;
    IF NOT EXISTS (SELECT FROM kyc_moves WHERE old_state = OLD.state AND new_state = NEW.state) THEN
        RAISE EXCEPTION 'a case can not go from % to %', OLD.state, NEW.state USING ERRCODE = 'KY001';
    END IF;
    IF NEW.state = 'submitted' AND NEW.documents = 0 THEN
        RAISE EXCEPTION 'a document is needed' USING ERRCODE = 'KY002';
    END IF;
    IF NEW.state = 'escalated' THEN
        NEW.escalated_by := NEW.officer;
    END IF;
    -- Four eyes: whoever escalated a case does not decide it.
    IF NEW.state IN ('approved', 'rejected') AND NEW.escalated_by = NEW.officer THEN
        RAISE EXCEPTION '% escalated this case', NEW.officer USING ERRCODE = 'KY003';
    END IF;
    IF NEW.state IN ('draft', 'expired') THEN
        NEW.escalated_by := NULL;
    END IF;
    IF NEW.state = 'expired' THEN
        NEW.documents := 0;
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER kyc_guard BEFORE UPDATE OF state ON kyc_cases FOR EACH ROW EXECUTE FUNCTION kyc_guard();
