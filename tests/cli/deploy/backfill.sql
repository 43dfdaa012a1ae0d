CREATE TABLE people (id integer PRIMARY KEY, mail text NOT NULL);
CREATE TABLE addresses (person integer PRIMARY KEY, mail text NOT NULL);

CREATE FUNCTION copy_mail() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO addresses VALUES (NEW.id, NEW.mail);
    ELSE
        UPDATE addresses SET mail = NEW.mail WHERE person = NEW.id;
    END IF;
    RETURN NEW;
END $$;
