-- Notifications, and a badge per member with the number of unread ones. The badge is a cached counter; the
-- application shows 5 as "5+", so it never goes beyond 5. Row level security: members see what is theirs.

DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'badge_member') THEN
        CREATE ROLE badge_member NOLOGIN;
    END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$;
DO $$ BEGIN
    SET LOCAL ROLE badge_member;
    RESET ROLE;
EXCEPTION WHEN insufficient_privilege THEN GRANT badge_member TO CURRENT_USER;
END $$;

CREATE TABLE members (
    name  text PRIMARY KEY,
    badge integer NOT NULL DEFAULT 0 CHECK (badge BETWEEN 0 AND 5)
);
INSERT INTO members (name) VALUES ('ann'), ('bob'), ('cem');

CREATE TABLE notifications (
    id     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    member text NOT NULL REFERENCES members,
    body   text NOT NULL,
    read   boolean NOT NULL DEFAULT false
);

CREATE FUNCTION me() RETURNS text
LANGUAGE sql STABLE AS $$ SELECT nullif(current_setting('app.member', true), '') $$;

CREATE FUNCTION count_badge() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_OP <> 'INSERT' AND NOT OLD.read THEN
        UPDATE members SET badge = badge - 1 WHERE name = OLD.member;
    END IF;
    IF TG_OP <> 'DELETE' AND NOT NEW.read THEN
        UPDATE members SET badge = least(badge + 1, 5) WHERE name = NEW.member;
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER count_badge AFTER INSERT OR DELETE OR UPDATE OF read ON notifications
    FOR EACH ROW EXECUTE FUNCTION count_badge();

ALTER TABLE members ENABLE ROW LEVEL SECURITY;
ALTER TABLE notifications ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON members FOR SELECT TO badge_member USING (name = me());
CREATE POLICY own ON notifications TO badge_member USING (member = me());
GRANT SELECT ON members TO badge_member;
GRANT SELECT, UPDATE (read), DELETE ON notifications TO badge_member;
