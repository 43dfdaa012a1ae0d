ALTER TABLE people ADD COLUMN email text;
-- What the new program changes does not reach the old column.
CREATE FUNCTION same_mail() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        NEW.email := coalesce(NEW.email, NEW.mail);
        NEW.mail := NEW.email;
    ELSIF NEW.mail IS DISTINCT FROM OLD.mail THEN
        NEW.email := NEW.mail;
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER same_mail BEFORE INSERT OR UPDATE ON people
    FOR EACH ROW EXECUTE FUNCTION same_mail();
UPDATE people SET email = mail;
