-- Survey offices exchange geodata. Each office is a tenant; two offices that are partners see each other's datasets
-- that are shared with partners.
DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'exchange_app') THEN
        CREATE ROLE exchange_app NOLOGIN;
    END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$;

CREATE TABLE office (
    id   integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL
);

CREATE TABLE partnership (
    requester integer NOT NULL REFERENCES office,
    addressee integer NOT NULL REFERENCES office,
    accepted  boolean NOT NULL DEFAULT false,
    PRIMARY KEY (requester, addressee),
    CHECK (requester <> addressee)
);
CREATE UNIQUE INDEX one_partnership ON partnership (LEAST(requester, addressee), GREATEST(requester, addressee));

CREATE TABLE dataset (
    id         integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    office     integer NOT NULL REFERENCES office,
    title      text NOT NULL,
    visibility text NOT NULL DEFAULT 'private' CHECK (visibility IN ('private', 'partners', 'public'))
);

CREATE FUNCTION me() RETURNS integer LANGUAGE sql STABLE AS $$
    SELECT NULLIF(current_setting('app.office', true), '')::integer
$$;

CREATE FUNCTION is_partner(p_office integer) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER AS $$
    SELECT EXISTS (SELECT FROM partnership
                   WHERE accepted AND (requester = me() AND addressee = p_office
                                       OR addressee = me() AND requester = p_office))
$$;

CREATE FUNCTION request_partnership(p_office integer) RETURNS void LANGUAGE sql SECURITY DEFINER AS $$
    INSERT INTO partnership (requester, addressee) VALUES (me(), p_office)
$$;

CREATE FUNCTION accept_partnership(p_office integer) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    UPDATE partnership SET accepted = true WHERE requester = p_office AND addressee = me() AND NOT accepted;
    RETURN FOUND;
END $$;

-- Also withdraws or declines a request. It is no error if there is nothing to end.
CREATE FUNCTION end_partnership(p_office integer) RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    DELETE FROM partnership WHERE requester = me() AND addressee = p_office;
    DELETE FROM partnership WHERE requester = p_office AND addressee = me() AND NOT accepted;
END $$;

-- Gives a dataset to a partner, as a whole.
CREATE FUNCTION hand_over(p_dataset integer, p_office integer) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    UPDATE dataset SET office = p_office, visibility = 'private'
    WHERE id = p_dataset AND office = me() AND is_partner(p_office);
    RETURN FOUND;
END $$;

ALTER TABLE dataset ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON dataset FOR ALL TO exchange_app USING (office = me()) WITH CHECK (office = me());
CREATE POLICY shared ON dataset FOR SELECT TO exchange_app
    USING (visibility = 'public' OR visibility = 'partners' AND is_partner(office));

GRANT SELECT ON office TO exchange_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON dataset TO exchange_app;
