-- Policies for several roles, for settings that are no row's key, and for everybody.
DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'visitor') THEN CREATE ROLE visitor; END IF;
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'member') THEN CREATE ROLE member; END IF;
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'Site Admin') THEN CREATE ROLE "Site Admin"; END IF;
END $$;
CREATE TABLE pages (
    id int PRIMARY KEY,
    tenant int NOT NULL,
    state text NOT NULL CHECK (state IN ('draft', 'public')),
    body text
);
CREATE TABLE comments (id int PRIMARY KEY, page int NOT NULL REFERENCES pages ON DELETE CASCADE, author uuid NOT NULL);
GRANT USAGE ON SCHEMA public TO visitor, member, "Site Admin";
GRANT SELECT ON pages, comments TO visitor;
GRANT SELECT, INSERT, UPDATE, DELETE ON pages, comments TO member, "Site Admin";
ALTER TABLE pages ENABLE ROW LEVEL SECURITY;
ALTER TABLE comments ENABLE ROW LEVEL SECURITY;
CREATE POLICY public_pages ON pages FOR SELECT TO visitor USING (state = 'public');
CREATE POLICY own_tenant ON pages TO member USING (tenant = current_setting('app.tenant_no')::int);
CREATE POLICY by_rank ON pages TO "Site Admin" USING (current_setting('app.rank', true) = 'chief' OR current_setting('app.rank', true) = 'deputy');
CREATE POLICY all_comments ON comments FOR SELECT USING (true);
CREATE POLICY own_comments ON comments FOR INSERT TO member WITH CHECK (author = nullif(current_setting('app.person', true), '')::uuid);
-- Functions that some roles may call, and one that reads what policies hide.
CREATE FUNCTION count_pages() RETURNS bigint LANGUAGE sql STABLE AS $$ SELECT count(*) FROM pages $$;
CREATE FUNCTION shorter(body text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN left(body, 10); END $$;
CREATE FUNCTION teaser(body text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN RETURN shorter(body) || '…'; END $$;
CREATE FUNCTION spare() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$;
REVOKE EXECUTE ON FUNCTION teaser, spare FROM PUBLIC;
GRANT EXECUTE ON FUNCTION teaser TO member, "Site Admin";
