CREATE OR REPLACE FUNCTION split(which bigint) RETURNS SETOF bigint LANGUAGE plpgsql AS $$
DECLARE
    x gem; half integer;
BEGIN
    DELETE FROM gem WHERE id = which RETURNING * INTO STRICT x;
    IF x.level = 0 THEN
        RAISE EXCEPTION 'too small' USING ERRCODE = 'GM002';
    END IF;
    half := cardinality(x.grains) / 2;
    RETURN QUERY
        INSERT INTO gem (colour, level, polished, grains)
        VALUES (x.colour, x.level - 1, x.polished, x.grains[: half]),
               (x.colour, x.level - 1, x.polished, x.grains[half + 1 :]) RETURNING id;
END $$;
