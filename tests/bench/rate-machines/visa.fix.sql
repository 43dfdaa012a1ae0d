-- Only an appeal leads from a refusal to a grant.
CREATE OR REPLACE FUNCTION count_application() RETURNS trigger LANGUAGE plpgsql AS $$
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
    ELSIF NEW.at = 'granted' AND OLD.at = 'appealed' THEN        -- overturned
        UPDATE office SET refused = refused - 1, granted = granted + 1 WHERE country = NEW.country;
    ELSIF NEW.at = 'granted' THEN
        UPDATE office SET granted = granted + 1 WHERE country = NEW.country;
    END IF;
    RETURN NULL;
END $$;
