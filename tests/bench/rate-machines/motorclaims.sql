-- Claims of a motor insurance, from the report of the damage to the payout.
CREATE TYPE claim_state AS ENUM
    ('filed', 'triaged', 'estimated', 'disputed', 'reinspected', 'settled', 'closed', 'rejected', 'withdrawn');

CREATE TABLE allowed_transitions (
    from_state claim_state NOT NULL,
    to_state   claim_state NOT NULL,
    PRIMARY KEY (from_state, to_state)
);
INSERT INTO allowed_transitions VALUES
    ('filed', 'triaged'), ('filed', 'rejected'), ('filed', 'withdrawn'),
    ('triaged', 'estimated'), ('triaged', 'rejected'), ('triaged', 'withdrawn'),
    ('estimated', 'settled'), ('estimated', 'disputed'), ('estimated', 'withdrawn'),
    ('disputed', 'reinspected'), ('disputed', 'rejected'), ('disputed', 'withdrawn'),
    ('reinspected', 'settled'), ('reinspected', 'withdrawn'),
    ('rejected', 'triaged'),
    ('settled', 'closed');

CREATE TABLE claims (
    id       integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    policy   text NOT NULL,
    excess   numeric(10,2) NOT NULL CHECK (excess >= 0),      -- what the holder bears
    state    claim_state NOT NULL DEFAULT 'filed',
    adjuster text,
    estimate numeric(10,2) CHECK (estimate > 0),
    payable  numeric(10,2) CHECK (payable >= 0)
);

CREATE TABLE payouts (
    claim_id integer PRIMARY KEY REFERENCES claims,
    amount   numeric(10,2) NOT NULL
);

CREATE TABLE claim_events (
    id       integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    claim_id integer NOT NULL REFERENCES claims,
    state    claim_state NOT NULL
);

CREATE FUNCTION claims_transition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM allowed_transitions WHERE from_state = OLD.state AND to_state = NEW.state) THEN
        RAISE EXCEPTION 'a claim can''t go from % to %', OLD.state, NEW.state USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.state = 'estimated' THEN
        NEW.payable := GREATEST(NEW.estimate - NEW.excess, 0);
    END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION claims_effects() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO claim_events (claim_id, state) VALUES (NEW.id, NEW.state);
    IF NEW.state = 'settled' AND NEW.payable > 0 THEN
        INSERT INTO payouts (claim_id, amount) VALUES (NEW.id, NEW.payable);
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER claims_transition BEFORE UPDATE OF state ON claims
    FOR EACH ROW EXECUTE FUNCTION claims_transition();
CREATE TRIGGER claims_effects AFTER UPDATE OF state ON claims
    FOR EACH ROW EXECUTE FUNCTION claims_effects();
