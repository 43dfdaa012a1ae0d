-- Notifications of a mobile app. The badge on its icon shows how many are unread, but never more than 10.

CREATE TABLE users (
    name   text PRIMARY KEY,
    badge  integer NOT NULL DEFAULT 0 CHECK (badge BETWEEN 0 AND 10)
);

INSERT INTO users (name) VALUES ('ann'), ('ben'), ('eve');

CREATE TABLE notifications (
    id       integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    receiver text NOT NULL REFERENCES users,
    is_read  boolean NOT NULL DEFAULT false
);

CREATE FUNCTION update_badge() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' AND NOT OLD.is_read THEN
        UPDATE users SET badge = greatest(badge - 1, 0) WHERE name = OLD.receiver;
    END IF;
    IF TG_OP <> 'DELETE' AND NOT NEW.is_read THEN
        UPDATE users SET badge = least(badge + 1, 10) WHERE name = NEW.receiver;
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER update_badge AFTER INSERT OR UPDATE OR DELETE ON notifications
FOR EACH ROW EXECUTE FUNCTION update_badge();
