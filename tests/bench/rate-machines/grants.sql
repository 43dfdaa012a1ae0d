CREATE TABLE calls (
    id         integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    phase      text NOT NULL DEFAULT 'open' CHECK (phase IN ('open', 'review', 'closed'))
);
CREATE TABLE proposals (
    id         integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    call_id    integer NOT NULL REFERENCES calls,
    title      text NOT NULL,
    withdrawn  boolean NOT NULL DEFAULT false,
    score      numeric(4, 2)
);
CREATE TABLE assignments (
    proposal_id integer REFERENCES proposals,
    reviewer    text,
    recused     boolean NOT NULL DEFAULT false,
    PRIMARY KEY (proposal_id, reviewer)
);
CREATE TABLE reviews (
    proposal_id integer,
    reviewer    text,
    points      integer NOT NULL CHECK (points BETWEEN 1 AND 5),
    PRIMARY KEY (proposal_id, reviewer),
    FOREIGN KEY (proposal_id, reviewer) REFERENCES assignments
);
CREATE TABLE awards (
    proposal_id integer PRIMARY KEY REFERENCES proposals,
    amount      numeric(10, 2) NOT NULL CHECK (amount > 0)
);

CREATE FUNCTION require_phase(p_call integer, p_phase text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM calls WHERE id = p_call AND phase = p_phase;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'call % is not in phase %', p_call, p_phase;
    END IF;
END $$;

CREATE FUNCTION submit_proposal(p_call integer, p_title text) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE v_id integer;
BEGIN
    PERFORM require_phase(p_call, 'open');
    INSERT INTO proposals (call_id, title) VALUES (p_call, p_title) RETURNING id INTO v_id;
    RETURN v_id;
END $$;

CREATE FUNCTION withdraw_proposal(p_proposal integer) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE proposals p SET withdrawn = true
      FROM calls c
     WHERE p.id = p_proposal AND c.id = p.call_id AND c.phase <> 'closed' AND NOT p.withdrawn;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'proposal % can not be withdrawn', p_proposal;
    END IF;
END $$;

CREATE FUNCTION start_review(p_call integer) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM require_phase(p_call, 'open');
    UPDATE calls SET phase = 'review' WHERE id = p_call;
END $$;

CREATE FUNCTION assign_reviewer(p_proposal integer, p_reviewer text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM require_phase((SELECT call_id FROM proposals WHERE id = p_proposal AND NOT withdrawn), 'review');
    INSERT INTO assignments (proposal_id, reviewer) VALUES (p_proposal, p_reviewer);
END $$;

CREATE FUNCTION submit_review(p_proposal integer, p_reviewer text, p_points integer) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM require_phase((SELECT call_id FROM proposals WHERE id = p_proposal AND NOT withdrawn), 'review');
    PERFORM 1 FROM assignments
      WHERE proposal_id = p_proposal AND reviewer = p_reviewer AND NOT recused;
    IF NOT FOUND THEN
        RAISE EXCEPTION '% does not review proposal %', p_reviewer, p_proposal;
    END IF;
    INSERT INTO reviews VALUES (p_proposal, p_reviewer, p_points)
    ON CONFLICT (proposal_id, reviewer) DO UPDATE SET points = EXCLUDED.points;
END $$;

-- A reviewer discovers a conflict of interest. What they wrote stays, for the audit.
CREATE FUNCTION recuse(p_proposal integer, p_reviewer text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM require_phase((SELECT call_id FROM proposals WHERE id = p_proposal), 'review');
    UPDATE assignments SET recused = true
     WHERE proposal_id = p_proposal AND reviewer = p_reviewer AND NOT recused;
    IF NOT FOUND THEN
        RAISE EXCEPTION '% does not review proposal %', p_reviewer, p_proposal;
    END IF;
END $$;

CREATE FUNCTION close_call(p_call integer) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM require_phase(p_call, 'review');
    UPDATE proposals p
       SET score = (SELECT round(avg(r.points), 2)
                      FROM reviews r
                     WHERE r.proposal_id = p.id)
     WHERE p.call_id = p_call AND NOT p.withdrawn;
    UPDATE calls SET phase = 'closed' WHERE id = p_call;
END $$;

CREATE FUNCTION award(p_proposal integer, p_amount numeric) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM proposals WHERE id = p_proposal AND score >= 3;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'proposal % is below the bar', p_proposal;
    END IF;
    INSERT INTO awards VALUES (p_proposal, p_amount);
END $$;
