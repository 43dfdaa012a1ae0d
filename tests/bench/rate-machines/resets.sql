-- Password reset tokens. The time comes from a table, so that tests can move it.
CREATE TABLE clock (now integer NOT NULL);
INSERT INTO clock VALUES (0);
CREATE FUNCTION app_now() RETURNS integer LANGUAGE sql STABLE AS 'SELECT now FROM clock';

CREATE TABLE users (
    id       integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    email    text NOT NULL UNIQUE,
    password text NOT NULL DEFAULT 'start'
);
CREATE TABLE resets (
    token      uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    user_id    integer NOT NULL REFERENCES users ON DELETE CASCADE,
    created_at integer NOT NULL,
    sent_at    integer NOT NULL,
    expires_at integer NOT NULL,
    used_at    integer
);
CREATE UNIQUE INDEX one_open_reset ON resets (user_id) WHERE used_at IS NULL;

-- A new request replaces the user's open one. It is valid for ten minutes.
CREATE FUNCTION request_reset(p_user integer) RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE v_token uuid;
BEGIN
    DELETE FROM resets WHERE user_id = p_user AND used_at IS NULL;
    INSERT INTO resets (user_id, created_at, sent_at, expires_at)
    VALUES (p_user, app_now(), app_now(), app_now() + 600) RETURNING token INTO v_token;
    RETURN v_token;
END $$;

-- The mail can be sent again after a minute. The token then lives ten minutes more, half an hour altogether.
CREATE FUNCTION resend(p_token uuid) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE v resets;
BEGIN
    SELECT * INTO v FROM resets WHERE token = p_token AND used_at IS NULL AND expires_at > app_now();
    IF NOT FOUND THEN RETURN NULL; END IF;
    IF app_now() < v.sent_at + 60 THEN RAISE EXCEPTION 'sent a moment ago'; END IF;
    UPDATE resets SET sent_at = app_now(), expires_at = least(app_now() + 600, created_at + 1800)
    WHERE token = p_token RETURNING expires_at INTO v.expires_at;
    RETURN v.expires_at;
END $$;

CREATE FUNCTION redeem(p_token uuid, p_password text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE v resets;
BEGIN
    SELECT * INTO v FROM resets WHERE token = p_token FOR UPDATE;
    IF NOT FOUND THEN RETURN 'unknown'; END IF;
    IF v.used_at IS NOT NULL THEN RETURN 'used'; END IF;
    IF v.expires_at <= app_now() THEN RETURN 'expired'; END IF;
    UPDATE users SET password = p_password WHERE id = v.user_id;
    UPDATE resets SET used_at = app_now() WHERE token = p_token;
    RETURN 'changed';
END $$;

-- Run by cron: removes what nobody can use any more. Used ones are kept for an hour.
CREATE FUNCTION purge() RETURNS bigint LANGUAGE sql AS $$
    WITH gone AS (
        DELETE FROM resets
        WHERE used_at + 3600 <= app_now() OR used_at IS NULL AND created_at + 600 <= app_now()
        RETURNING 1)
    SELECT count(*) FROM gone
$$;
