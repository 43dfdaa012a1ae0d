CREATE TABLE apps (
    id        integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name      text NOT NULL,
    plan      text NOT NULL DEFAULT 'free' CHECK (plan IN ('free', 'pro', 'scale')),
    instances integer NOT NULL DEFAULT 1 CHECK (instances BETWEEN 1 AND 20),
    suspended boolean NOT NULL DEFAULT false,
    locked    boolean NOT NULL DEFAULT false,
    builds    integer NOT NULL DEFAULT 0
);
CREATE TABLE builds (
    id     integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    app_id integer NOT NULL REFERENCES apps ON DELETE CASCADE,
    no     integer NOT NULL,
    UNIQUE (app_id, no)
);
CREATE TABLE releases (                  -- which build serves the traffic of an app
    app_id   integer PRIMARY KEY REFERENCES apps ON DELETE CASCADE,
    build_id integer NOT NULL REFERENCES builds ON DELETE CASCADE
);
CREATE TABLE env (
    app_id integer REFERENCES apps ON DELETE CASCADE,
    key    text,
    value  text NOT NULL,
    PRIMARY KEY (app_id, key)
);
CREATE TABLE members (
    app_id integer REFERENCES apps ON DELETE CASCADE,
    email  text,
    role   text NOT NULL CHECK (role IN ('viewer', 'developer', 'admin')),
    PRIMARY KEY (app_id, email)
);
CREATE TABLE crons (
    id       integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    app_id   integer NOT NULL REFERENCES apps ON DELETE CASCADE,
    schedule text NOT NULL,
    enabled  boolean NOT NULL DEFAULT true
);
CREATE TABLE deploy_keys (
    id      integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    app_id  integer NOT NULL REFERENCES apps ON DELETE CASCADE,
    revoked boolean NOT NULL DEFAULT false
);
CREATE TABLE log_drains (
    app_id integer REFERENCES apps ON DELETE CASCADE,
    sink   text,
    PRIMARY KEY (app_id, sink)
);
CREATE TABLE stars (
    app_id integer REFERENCES apps ON DELETE CASCADE,
    email  text,
    PRIMARY KEY (app_id, email)
);

CREATE FUNCTION deploy(p_app integer) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
    v_app apps;
BEGIN
    SELECT * INTO v_app FROM apps WHERE id = p_app FOR UPDATE;
    IF v_app.locked OR v_app.suspended THEN
        RAISE EXCEPTION 'app % takes no deploys', p_app USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
    UPDATE apps SET builds = builds + 1 WHERE id = p_app;
    INSERT INTO builds (app_id, no) VALUES (p_app, v_app.builds + 1);
    -- keep the last ten
    DELETE FROM builds WHERE app_id = p_app AND no <= v_app.builds + 1 - 10;
    RETURN v_app.builds + 1;
END $$;

CREATE FUNCTION promote(p_app integer, p_no integer) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    IF (SELECT suspended FROM apps WHERE id = p_app) THEN
        RAISE EXCEPTION 'app % is suspended', p_app USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
    INSERT INTO releases (app_id, build_id)
    SELECT app_id, id FROM builds WHERE app_id = p_app AND no = p_no
    ON CONFLICT (app_id) DO UPDATE SET build_id = EXCLUDED.build_id;
END $$;
