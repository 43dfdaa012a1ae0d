ALTER TABLE people ADD COLUMN email text;
CREATE FUNCTION same_mail() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        NEW.email := coalesce(NEW.email, NEW.mail);
        NEW.mail := NEW.email;
    ELSIF NEW.email IS DISTINCT FROM OLD.email THEN
        NEW.mail := NEW.email;
    ELSE
        NEW.email := NEW.mail;
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER same_mail BEFORE INSERT OR UPDATE ON people
    FOR EACH ROW EXECUTE FUNCTION same_mail();
UPDATE people SET email = mail;
