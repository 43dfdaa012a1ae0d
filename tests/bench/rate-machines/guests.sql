-- Teams write documents and may share one with another team, which has to accept it first.
DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'anon') THEN CREATE ROLE anon NOLOGIN; END IF;
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'authenticated') THEN CREATE ROLE authenticated NOLOGIN; END IF;
END $$;
CREATE SCHEMA auth;
CREATE FUNCTION auth.uid() RETURNS uuid LANGUAGE sql STABLE AS
$$ SELECT (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid $$;
GRANT USAGE ON SCHEMA auth TO anon, authenticated;

CREATE TABLE teams (id integer PRIMARY KEY, name text NOT NULL UNIQUE);
CREATE TABLE users (id uuid PRIMARY KEY, email text NOT NULL UNIQUE);
CREATE TABLE team_users (
    team integer REFERENCES teams,
    member uuid REFERENCES users,
    PRIMARY KEY (team, member)
);
CREATE TABLE docs (
    id    uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    team  integer NOT NULL REFERENCES teams,
    title text NOT NULL
);
CREATE TYPE share_level AS ENUM ('read', 'edit');
CREATE TABLE shares (
    doc      uuid REFERENCES docs ON DELETE CASCADE,
    guest    integer REFERENCES teams,
    level    share_level NOT NULL,
    accepted boolean NOT NULL DEFAULT false,
    revoked  boolean NOT NULL DEFAULT false,
    PRIMARY KEY (doc, guest)
);

-- Helpers for the policies: they bypass row level security.
CREATE FUNCTION in_team(t integer) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER AS
$$ SELECT EXISTS (SELECT FROM team_users WHERE team = t AND member = auth.uid()) $$;
CREATE FUNCTION owns(d uuid) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER AS
$$ SELECT EXISTS (SELECT FROM docs WHERE id = d AND in_team(team)) $$;
CREATE FUNCTION guest_level(d uuid) RETURNS share_level LANGUAGE sql STABLE SECURITY DEFINER AS
$$ SELECT max(level) FROM shares WHERE doc = d AND accepted AND NOT revoked AND in_team(guest) $$;

ALTER TABLE docs ENABLE ROW LEVEL SECURITY;
ALTER TABLE shares ENABLE ROW LEVEL SECURITY;
GRANT SELECT, INSERT, DELETE, UPDATE (title) ON docs TO authenticated;
GRANT SELECT, INSERT, DELETE, UPDATE (level, revoked, accepted) ON shares TO authenticated;
GRANT SELECT ON docs, shares TO anon;

CREATE POLICY read ON docs FOR SELECT TO authenticated USING (in_team(team) OR guest_level(id) IS NOT NULL);
CREATE POLICY add ON docs FOR INSERT TO authenticated WITH CHECK (in_team(team));
CREATE POLICY edit ON docs FOR UPDATE TO authenticated USING (in_team(team) OR guest_level(id) = 'edit');
CREATE POLICY remove ON docs FOR DELETE TO authenticated USING (in_team(team));

CREATE POLICY see ON shares FOR SELECT TO authenticated USING (owns(doc) OR in_team(guest));
CREATE POLICY offer ON shares FOR INSERT TO authenticated WITH CHECK (owns(doc) AND NOT accepted);
CREATE POLICY change ON shares FOR UPDATE TO authenticated USING (owns(doc));
CREATE POLICY decline ON shares FOR DELETE TO authenticated USING (in_team(guest));

CREATE FUNCTION share_doc(d uuid, g integer, l share_level) RETURNS void LANGUAGE sql AS $$
    INSERT INTO shares (doc, guest, level) VALUES (d, g, l)
    ON CONFLICT (doc, guest) DO UPDATE SET level = EXCLUDED.level, revoked = false
$$;

-- A guest can't update shares, but may accept one.
CREATE FUNCTION accept_share(d uuid, g integer) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    UPDATE shares SET accepted = true WHERE doc = d AND guest = g AND NOT revoked AND in_team(g);
    RETURN FOUND;
END $$;
