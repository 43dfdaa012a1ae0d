-- An electronic lab notebook.
CREATE TABLE project (
    id       integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name     text NOT NULL,
    archived boolean NOT NULL DEFAULT false
);

CREATE TABLE entry (
    id      integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    project integer NOT NULL REFERENCES project,
    label   text NOT NULL,                  -- E-1, E-2, … in each project
    body    text NOT NULL DEFAULT '',
    state   text NOT NULL DEFAULT 'draft' CHECK (state IN ('draft', 'signed', 'void')),
    starred boolean NOT NULL DEFAULT false,
    UNIQUE (project, label)
);

CREATE TABLE comment (
    id       integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    entry    integer NOT NULL REFERENCES entry,
    body     text NOT NULL,
    resolved boolean NOT NULL DEFAULT false
);

CREATE TABLE protocol (
    id      integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name    text NOT NULL,
    retired boolean NOT NULL DEFAULT false
);

CREATE TABLE entry_protocol (
    entry    integer NOT NULL REFERENCES entry,
    protocol integer NOT NULL REFERENCES protocol,
    PRIMARY KEY (entry, protocol)
);

CREATE TABLE sample (
    id     integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    freezer text NOT NULL,
    ul     integer NOT NULL CHECK (ul >= 0),
    thawed integer NOT NULL DEFAULT 0
);

CREATE TABLE instrument (
    id         integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name       text NOT NULL,
    calibrated boolean NOT NULL DEFAULT false,
    in_use_by  text
);

CREATE FUNCTION add_entry(p_project integer, p_body text) RETURNS entry LANGUAGE plpgsql AS $$
DECLARE
    last_label text;
    e          entry;
BEGIN
    PERFORM FROM project WHERE id = p_project AND NOT archived FOR UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'project is archived' USING ERRCODE = 'LN001';
    END IF;
    SELECT max(label) INTO last_label FROM entry WHERE project = p_project;
    INSERT INTO entry (project, label, body)
    VALUES (p_project, 'E-' || COALESCE(split_part(last_label, '-', 2)::integer, 0) + 1, p_body)
    RETURNING * INTO e;
    RETURN e;
END $$;

CREATE FUNCTION entry_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.state <> 'draft' AND (NEW.body, NEW.label, NEW.project) IS DISTINCT FROM (OLD.body, OLD.label, OLD.project) THEN
        RAISE EXCEPTION 'entry is %', OLD.state USING ERRCODE = 'LN002';
    END IF;
    IF OLD.state = 'void' AND NEW.state <> 'void' OR OLD.state = 'signed' AND NEW.state = 'draft' THEN
        RAISE EXCEPTION 'entry is %', OLD.state USING ERRCODE = 'LN002';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER entry_is_final BEFORE UPDATE ON entry FOR EACH ROW EXECUTE FUNCTION entry_is_final();

CREATE FUNCTION attach(p_entry integer, p_protocol integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF (SELECT retired FROM protocol WHERE id = p_protocol) THEN
        RAISE EXCEPTION 'protocol is retired' USING ERRCODE = 'LN003';
    END IF;
    INSERT INTO entry_protocol VALUES (p_entry, p_protocol) ON CONFLICT DO NOTHING;
END $$;
