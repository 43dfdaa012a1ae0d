-- The editorial workflow of a journal.
CREATE TABLE paper (
    id        integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    title     text NOT NULL,
    status    text NOT NULL DEFAULT 'submitted' CHECK (status IN
              ('submitted', 'in_review', 'accepted', 'rejected', 'typeset', 'published', 'withdrawn')),
    version   integer NOT NULL DEFAULT 1,
    approved  boolean NOT NULL DEFAULT false      -- the author has approved the proof
);

CREATE TABLE review (
    paper    integer NOT NULL REFERENCES paper,
    reviewer text NOT NULL,
    version  integer NOT NULL,
    advice   text NOT NULL CHECK (advice IN ('accept', 'revise', 'reject')),
    PRIMARY KEY (paper, reviewer, version)
);

CREATE FUNCTION must_be(p_paper integer, VARIADIC p_status text[]) RETURNS paper LANGUAGE plpgsql AS $$
DECLARE p paper;
BEGIN
    SELECT * INTO STRICT p FROM paper WHERE id = p_paper FOR UPDATE;
    IF p.status <> ALL (p_status) THEN
        RAISE EXCEPTION 'paper is %', p.status USING ERRCODE = 'JR001';
    END IF;
    RETURN p;
END $$;

CREATE FUNCTION send_out(p_paper integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM must_be(p_paper, 'submitted');
    UPDATE paper SET status = 'in_review' WHERE id = p_paper;
END $$;

CREATE FUNCTION give_review(p_paper integer, p_reviewer text, p_advice text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE p paper := must_be(p_paper, 'in_review');
BEGIN
    INSERT INTO review VALUES (p_paper, p_reviewer, p.version, p_advice)
    ON CONFLICT (paper, reviewer, version) DO UPDATE SET advice = EXCLUDED.advice;
END $$;

CREATE FUNCTION decide(p_paper integer, p_decision text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE p paper := must_be(p_paper, 'in_review');
BEGIN
    IF NOT EXISTS (SELECT FROM review WHERE paper = p_paper AND version = p.version) THEN
        RAISE EXCEPTION 'no review yet' USING ERRCODE = 'JR002';
    END IF;
    IF p_decision = 'revise' THEN
        UPDATE paper SET status = 'submitted', version = version + 1 WHERE id = p_paper;
    ELSE
        UPDATE paper SET status = CASE p_decision WHEN 'accept' THEN 'accepted' ELSE 'rejected' END
        WHERE id = p_paper;
    END IF;
END $$;

CREATE FUNCTION typeset(p_paper integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM must_be(p_paper, 'accepted');
    UPDATE paper SET status = 'typeset' WHERE id = p_paper;
END $$;

CREATE FUNCTION approve_proof(p_paper integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM must_be(p_paper, 'typeset');
    UPDATE paper SET approved = true WHERE id = p_paper;
END $$;

-- What the author finds in the proof. A typo is mended in place; anything else is a new version.
CREATE FUNCTION correct_proof(p_paper integer, p_what text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM must_be(p_paper, 'typeset');
    CASE p_what
    WHEN 'typo', 'affiliation' THEN
        NULL;
    WHEN 'figure' THEN
        UPDATE paper SET status = 'accepted', version = version + 1 WHERE id = p_paper;
    WHEN 'data', 'authorship' THEN
        UPDATE paper SET status = 'submitted', version = version + 1, approved = false WHERE id = p_paper;
    END CASE;
END $$;

CREATE FUNCTION publish(p_paper integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE p paper := must_be(p_paper, 'typeset');
BEGIN
    IF NOT p.approved THEN
        RAISE EXCEPTION 'the author has not approved the proof' USING ERRCODE = 'JR003';
    END IF;
    UPDATE paper SET status = 'published' WHERE id = p_paper;
END $$;

CREATE FUNCTION withdraw(p_paper integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM must_be(p_paper, 'submitted', 'in_review', 'accepted', 'typeset');
    UPDATE paper SET status = 'withdrawn' WHERE id = p_paper;
END $$;
