-- A laboratory pools samples: two equal ones make one of double size, and a positive pool is split again.
CREATE TABLE racks (
    id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    sender  text NOT NULL
);

CREATE TABLE units (
    id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    rack    bigint REFERENCES racks,                    -- NULL: a pool
    size    integer NOT NULL DEFAULT 1 CHECK (size IN (1, 2, 4, 8)),
    in_pool bigint REFERENCES units,
    status  text NOT NULL DEFAULT 'waiting'
            CHECK (status IN ('waiting', 'pooled', 'split', 'negative', 'positive', 'spoilt')),
    CHECK ((rack IS NOT NULL) = (size = 1)),
    CHECK (status <> 'pooled' OR in_pool IS NOT NULL)
);

CREATE INDEX units_pool ON units (in_pool);

CREATE FUNCTION receive_rack(p_sender text, p_samples integer) RETURNS SETOF bigint
LANGUAGE sql AS $$
    WITH rack AS (INSERT INTO racks (sender) VALUES (p_sender) RETURNING id)
    INSERT INTO units (rack) SELECT rack.id FROM rack, generate_series(1, p_samples) RETURNING id
$$;

CREATE FUNCTION pool(p_a bigint, p_b bigint) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    a units;
    b units;
    v_pool bigint;
BEGIN
    IF p_a = p_b THEN
        RAISE EXCEPTION 'a pool needs two';
    END IF;
    SELECT * INTO a FROM units WHERE id = p_a FOR UPDATE;
    SELECT * INTO b FROM units WHERE id = p_b FOR UPDATE;
    IF a.status <> 'waiting' OR b.status <> 'waiting' THEN
        RAISE EXCEPTION 'only what waits can be pooled';
    END IF;
    IF a.size <> b.size OR a.size = 8 THEN
        RAISE EXCEPTION 'sizes % and % can not be pooled', a.size, b.size;
    END IF;
    INSERT INTO units (size) VALUES (2 * a.size) RETURNING id INTO v_pool;
    UPDATE units SET status = 'pooled', in_pool = v_pool WHERE id IN (p_a, p_b);
    RETURN v_pool;
END $$;

-- Takes a pool apart: its halves wait again.
CREATE FUNCTION split(p_pool bigint) RETURNS void
LANGUAGE sql AS $$
    UPDATE units SET status = 'split' WHERE id = p_pool;
    UPDATE units SET status = 'waiting', in_pool = NULL WHERE in_pool = p_pool;
$$;

CREATE FUNCTION report(p_unit bigint, p_positive boolean) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    u units;
BEGIN
    SELECT * INTO u FROM units WHERE id = p_unit FOR UPDATE;
    IF u.status <> 'waiting' THEN
        RAISE EXCEPTION 'unit % does not wait for a result', p_unit;
    END IF;
    IF NOT p_positive THEN
        -- a negative pool: so is everything in it
        UPDATE units SET status = 'negative' WHERE id = p_unit OR in_pool = p_unit;
    ELSIF u.size = 1 THEN
        UPDATE units SET status = 'positive' WHERE id = p_unit;
    ELSE
        PERFORM split(p_unit);
    END IF;
END $$;

CREATE FUNCTION dissolve(p_unit bigint) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM units WHERE id = p_unit AND status = 'waiting' AND size > 1 FOR UPDATE;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    PERFORM split(p_unit);
    RETURN true;
END $$;

CREATE FUNCTION spoil(p_unit bigint) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE units SET status = 'spoilt' WHERE id = p_unit AND status = 'waiting' AND size = 1;
    RETURN FOUND;
END $$;
