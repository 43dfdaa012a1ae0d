-- Brand assets of several organisations. Two that are connected can share assets with each other.
DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'authenticated') THEN
        CREATE ROLE authenticated NOLOGIN;
    END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$;
DO $$ BEGIN
    SET LOCAL ROLE authenticated;
    RESET ROLE;
EXCEPTION WHEN insufficient_privilege THEN GRANT authenticated TO CURRENT_USER;
END $$;

CREATE FUNCTION current_org() RETURNS integer LANGUAGE sql STABLE AS $$
    SELECT (NULLIF(current_setting('request.jwt.claims', true), '')::jsonb ->> 'org_id')::integer
$$;

CREATE TABLE orgs (
    id   integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL UNIQUE
);

CREATE TABLE connections (
    requester integer NOT NULL REFERENCES orgs ON DELETE CASCADE,
    addressee integer NOT NULL REFERENCES orgs ON DELETE CASCADE,
    accepted  boolean NOT NULL DEFAULT false,
    PRIMARY KEY (requester, addressee),
    CHECK (requester <> addressee)
);
CREATE UNIQUE INDEX connections_pair ON connections (LEAST(requester, addressee), GREATEST(requester, addressee));

CREATE TABLE assets (
    id     integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    org_id integer NOT NULL DEFAULT current_org() REFERENCES orgs ON DELETE CASCADE,
    title  text NOT NULL
);

CREATE TABLE asset_shares (
    asset_id  integer NOT NULL REFERENCES assets ON DELETE CASCADE,
    owner_org integer NOT NULL DEFAULT current_org() REFERENCES orgs ON DELETE CASCADE,
    org_id    integer NOT NULL REFERENCES orgs ON DELETE CASCADE,
    PRIMARY KEY (asset_id, org_id)
);

CREATE FUNCTION is_connected(p_org integer) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM connections
                   WHERE accepted AND (requester, addressee) IN ((current_org(), p_org), (p_org, current_org())))
$$;

ALTER TABLE connections ENABLE ROW LEVEL SECURITY;
ALTER TABLE assets ENABLE ROW LEVEL SECURITY;
ALTER TABLE asset_shares ENABLE ROW LEVEL SECURITY;

CREATE POLICY both_sides ON connections FOR SELECT TO authenticated USING (current_org() IN (requester, addressee));
CREATE POLICY request ON connections FOR INSERT TO authenticated
    WITH CHECK (requester = current_org() AND NOT accepted);
CREATE POLICY accept ON connections FOR UPDATE TO authenticated USING (addressee = current_org());
CREATE POLICY leave ON connections FOR DELETE TO authenticated USING (current_org() IN (requester, addressee));

CREATE POLICY shares_read ON asset_shares FOR SELECT TO authenticated USING (current_org() IN (owner_org, org_id));
CREATE POLICY shares_add ON asset_shares FOR INSERT TO authenticated
    WITH CHECK (owner_org = current_org() AND is_connected(org_id)
                AND EXISTS (SELECT FROM assets a WHERE a.id = asset_id AND a.org_id = current_org()));
CREATE POLICY shares_remove ON asset_shares FOR DELETE TO authenticated USING (owner_org = current_org());

CREATE POLICY own ON assets FOR ALL TO authenticated USING (org_id = current_org());
CREATE POLICY shared ON assets FOR SELECT TO authenticated
    USING (EXISTS (SELECT FROM asset_shares s WHERE s.asset_id = assets.id AND s.org_id = current_org()));

-- Ends a connection, or takes back or declines a request. What the two shared goes with it.
CREATE FUNCTION disconnect(p_org integer) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    me integer := current_org();
    n  integer;
BEGIN
    DELETE FROM asset_shares
     WHERE (owner_org = me AND org_id = p_org) OR (owner_org = p_org AND org_id = me);
    DELETE FROM connections
     WHERE (requester = me AND addressee = p_org) OR (requester = p_org AND addressee = me);
    GET DIAGNOSTICS n = ROW_COUNT;
    RETURN n > 0;
END $$;

GRANT SELECT ON orgs TO authenticated;
GRANT SELECT, INSERT, DELETE ON connections TO authenticated;
GRANT UPDATE (accepted) ON connections TO authenticated;
GRANT SELECT, INSERT, UPDATE, DELETE ON assets TO authenticated;
GRANT SELECT, INSERT, DELETE ON asset_shares TO authenticated;
