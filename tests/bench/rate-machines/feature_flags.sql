-- Feature flags of a web application. A flag that is no longer needed goes to the archive, and can come back.

CREATE TABLE flags (
    name    text PRIMARY KEY,
    enabled boolean NOT NULL DEFAULT false,
    rollout integer NOT NULL DEFAULT 100 CHECK (rollout BETWEEN 0 AND 100)     -- percent of the users
);

-- How a flag was when it was last archived.
CREATE TABLE archived_flags (LIKE flags INCLUDING ALL);

INSERT INTO flags (name)
VALUES ('dark-mode'), ('new-editor'), ('search-v2'), ('billing'), ('invites'),
       ('export'), ('webhooks'), ('sso'), ('comments'), ('mobile-push');

CREATE FUNCTION archive_flag(flag text) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO archived_flags SELECT * FROM flags WHERE name = flag ON CONFLICT (name) DO NOTHING;
    DELETE FROM flags WHERE name = flag;
    RETURN FOUND;
END $$;

CREATE FUNCTION restore_flag(flag text) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO flags SELECT * FROM archived_flags WHERE name = flag ON CONFLICT (name) DO NOTHING;
    RETURN FOUND;
END $$;

CREATE FUNCTION is_on(flag text, bucket integer) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT coalesce((SELECT enabled AND bucket < rollout FROM flags WHERE name = flag), false)
$$;
