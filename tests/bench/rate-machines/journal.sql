-- Submissions to a journal, from the draft to the issue; each editor has a number of submissions in hand.
CREATE TYPE submission_state AS ENUM ('draft', 'submitted', 'in_review', 'revising', 'rejected', 'appealed',
                                      'accepted', 'published', 'withdrawn');

CREATE TABLE editors (
    id      integer PRIMARY KEY,
    name    text NOT NULL UNIQUE,
    in_hand integer NOT NULL DEFAULT 0
);
INSERT INTO editors VALUES (1, 'Ada'), (2, 'Bela'), (3, 'Chloe');

CREATE TABLE submissions (
    id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    title     text NOT NULL,
    state     submission_state NOT NULL DEFAULT 'draft',
    editor    integer REFERENCES editors,
    revisions integer NOT NULL DEFAULT 0 CHECK (revisions <= 2),
    issue     integer
);

-- Moves a submission from one of the states to another; an error if it is in none of them.
CREATE FUNCTION transit(p_id bigint, p_from submission_state[], p_to submission_state) RETURNS submissions
LANGUAGE plpgsql AS $$
DECLARE
    s submissions;
BEGIN
    SELECT * INTO s FROM submissions WHERE id = p_id FOR UPDATE;
    IF s.state <> ALL (p_from) THEN
        RAISE EXCEPTION 'submission % is %', p_id, s.state USING ERRCODE = 'check_violation';
    END IF;
    UPDATE submissions SET state = p_to WHERE id = p_id;
    RETURN s;
END $$;

CREATE FUNCTION take(p_editor integer) RETURNS void LANGUAGE sql AS $$
    UPDATE editors SET in_hand = in_hand + 1 WHERE id = p_editor
$$;

CREATE FUNCTION release(p_editor integer) RETURNS void LANGUAGE sql AS $$
    UPDATE editors SET in_hand = in_hand - 1 WHERE id = p_editor
$$;

CREATE FUNCTION submit(p_id bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM transit(p_id, '{draft}', 'submitted');
END $$;

CREATE FUNCTION assign(p_id bigint, p_editor integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM transit(p_id, '{submitted}', 'in_review');
    UPDATE submissions SET editor = p_editor WHERE id = p_id;
    PERFORM take(p_editor);
END $$;

CREATE FUNCTION request_revision(p_id bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM transit(p_id, '{in_review}', 'revising');
    UPDATE submissions SET revisions = revisions + 1 WHERE id = p_id;
END $$;

CREATE FUNCTION resubmit(p_id bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM transit(p_id, '{revising}', 'in_review');
END $$;

CREATE FUNCTION accept(p_id bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM transit(p_id, '{in_review}', 'accepted');
END $$;

-- The editor stays on record, for an appeal, but has one less in hand.
CREATE FUNCTION reject(p_id bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    s submissions;
BEGIN
    s := transit(p_id, '{in_review}', 'rejected');
    PERFORM release(s.editor);
END $$;

CREATE FUNCTION appeal(p_id bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM transit(p_id, '{rejected}', 'appealed');
END $$;

-- An upheld appeal goes to another editor; otherwise the rejection stands.
CREATE FUNCTION decide_appeal(p_id bigint, p_editor integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF p_editor IS NULL THEN
        PERFORM transit(p_id, '{appealed}', 'rejected');
    ELSE
        PERFORM transit(p_id, '{appealed}', 'in_review');
        UPDATE submissions SET editor = p_editor WHERE id = p_id;
        PERFORM take(p_editor);
    END IF;
END $$;

CREATE FUNCTION publish(p_id bigint, p_issue integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    s submissions;
BEGIN
    s := transit(p_id, '{accepted}', 'published');
    UPDATE submissions SET issue = p_issue WHERE id = p_id;
    PERFORM release(s.editor);
END $$;

CREATE FUNCTION withdraw(p_id bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    s submissions;
BEGIN
    s := transit(p_id, '{draft,submitted,in_review,revising,appealed,accepted}', 'withdrawn');
    IF s.editor IS NOT NULL THEN
        PERFORM release(s.editor);
    END IF;
END $$;
