-- A game: grains are mined as small gems, two equal gems fuse into a greater one, and split again.
CREATE TYPE colour AS ENUM ('red', 'green', 'blue');

CREATE TABLE grain (
    id     integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    colour colour NOT NULL
);
CREATE TABLE gem (
    id       bigint GENERATED ALWAYS AS IDENTITY (START 100) PRIMARY KEY,
    colour   colour NOT NULL,
    level    integer NOT NULL DEFAULT 0,
    polished boolean NOT NULL DEFAULT false,
    grains   integer[] NOT NULL,
    weight   integer GENERATED ALWAYS AS (cardinality(grains)) STORED
);
CREATE TABLE ring (
    name text PRIMARY KEY,
    gem  bigint UNIQUE REFERENCES gem
);
INSERT INTO ring VALUES ('iron'), ('silver'), ('gold');
CREATE TABLE purse (coins bigint NOT NULL CHECK (coins >= 0));
INSERT INTO purse VALUES (0);

CREATE FUNCTION mine(kind colour) RETURNS bigint LANGUAGE sql AS $$
    WITH g AS (INSERT INTO grain (colour) VALUES (kind) RETURNING id)
    INSERT INTO gem (colour, grains) SELECT kind, ARRAY[g.id] FROM g RETURNING id
$$;

CREATE FUNCTION fuse(a bigint, b bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    x gem; y gem; made bigint;
BEGIN
    SELECT * INTO STRICT x FROM gem WHERE id = a;
    SELECT * INTO STRICT y FROM gem WHERE id = b;
    IF a = b OR (x.colour, x.level) <> (y.colour, y.level) THEN
        RAISE EXCEPTION 'these gems do not fuse' USING ERRCODE = 'GM001';
    END IF;
    DELETE FROM gem WHERE id IN (a, b);
    INSERT INTO gem (colour, level, polished, grains)
    VALUES (x.colour, x.level + 1, x.polished AND y.polished, x.grains || y.grains) RETURNING id INTO made;
    RETURN made;
END $$;

CREATE FUNCTION split(which bigint) RETURNS SETOF bigint LANGUAGE plpgsql AS $$
DECLARE
    x gem; half integer;
BEGIN
    DELETE FROM gem WHERE id = which RETURNING * INTO STRICT x;
    IF x.level = 0 THEN
        RAISE EXCEPTION 'too small' USING ERRCODE = 'GM002';
    END IF;
    half := cardinality(x.grains) / 2;
    RETURN QUERY
        INSERT INTO gem (colour, polished, grains)
        VALUES (x.colour, x.polished, x.grains[: half]), (x.colour, x.polished, x.grains[half + 1 :]) RETURNING id;
END $$;

-- What a gem is worth: three times as much with each level, and twice if it is polished.
CREATE FUNCTION sell(which bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    price bigint;
BEGIN
    DELETE FROM gem WHERE id = which
    RETURNING (3 ^ level)::bigint * CASE WHEN polished THEN 2 ELSE 1 END INTO STRICT price;
    UPDATE purse SET coins = coins + price;
    RETURN price;
END $$;
