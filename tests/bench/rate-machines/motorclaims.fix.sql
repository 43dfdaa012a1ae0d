-- A second inspection replaces the first estimate.
CREATE OR REPLACE FUNCTION claims_transition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM allowed_transitions WHERE from_state = OLD.state AND to_state = NEW.state) THEN
        RAISE EXCEPTION 'a claim can''t go from % to %', OLD.state, NEW.state USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.state IN ('estimated', 'reinspected') THEN
        NEW.payable := GREATEST(NEW.estimate - NEW.excess, 0);
    END IF;
    RETURN NEW;
END $$;
