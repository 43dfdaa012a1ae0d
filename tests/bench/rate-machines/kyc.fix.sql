-- A case that comes back from escalation, or is submitted again, is an ordinary one.
CREATE OR REPLACE FUNCTION kyc_guard() RETURNS trigger LANGUAGE plpgsql AS $$
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
    ELSIF NEW.state = 'in_review' THEN
        NEW.escalated_by := NULL;
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
