-- A petition site. The number of signatures is kept with the petition, for the front page.
CREATE TABLE citizens (
    id       integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name     text NOT NULL,
    verified boolean NOT NULL DEFAULT true
);

CREATE TABLE petitions (
    id              integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    title           text NOT NULL,
    goal            integer NOT NULL CHECK (goal >= 5),
    status          text NOT NULL DEFAULT 'collecting'
                    CHECK (status IN ('collecting', 'qualified', 'delivered', 'closed')),
    signature_count integer NOT NULL DEFAULT 0 CHECK (signature_count >= 0)
);

CREATE TABLE signatures (
    petition_id integer NOT NULL REFERENCES petitions ON DELETE CASCADE,
    citizen_id  integer NOT NULL REFERENCES citizens,
    comment     text,
    PRIMARY KEY (petition_id, citizen_id)
);

CREATE FUNCTION signature_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE petitions
       SET signature_count = signature_count + 1,
           status = CASE WHEN status = 'collecting' AND signature_count + 1 >= goal THEN 'qualified' ELSE status END
     WHERE id = NEW.petition_id;
    RETURN NULL;
END $$;

CREATE FUNCTION signature_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE petitions SET signature_count = signature_count - 1
     WHERE id = OLD.petition_id AND status = 'collecting';
    RETURN NULL;
END $$;

CREATE TRIGGER signature_added AFTER INSERT ON signatures FOR EACH ROW EXECUTE FUNCTION signature_added();
CREATE TRIGGER signature_removed AFTER DELETE ON signatures FOR EACH ROW EXECUTE FUNCTION signature_removed();

CREATE FUNCTION sign(p_petition integer, p_citizen integer, p_comment text DEFAULT NULL) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM petitions WHERE id = p_petition AND status IN ('collecting', 'qualified') FOR UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'petition % takes no signatures', p_petition;
    END IF;
    INSERT INTO signatures VALUES (p_petition, p_citizen, p_comment);
END $$;

-- A qualified petition stays qualified, but one can withdraw until it is delivered.
CREATE FUNCTION withdraw_signature(p_petition integer, p_citizen integer) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM petitions WHERE id = p_petition AND status IN ('collecting', 'qualified') FOR UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'petition % can no longer be changed', p_petition;
    END IF;
    DELETE FROM signatures WHERE petition_id = p_petition AND citizen_id = p_citizen;
    RETURN FOUND;
END $$;

CREATE FUNCTION deliver(p_petition integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
    n integer;
BEGIN
    UPDATE petitions SET status = 'delivered' WHERE id = p_petition AND status = 'qualified'
    RETURNING signature_count INTO n;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'petition % has not qualified', p_petition;
    END IF;
    RETURN n;
END $$;
