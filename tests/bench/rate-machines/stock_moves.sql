-- Stock as moves. The moves of an item are folded into its base when there are eight of them.
CREATE DOMAIN pieces AS integer CHECK (VALUE > 0);
CREATE TABLE items (
    sku     text PRIMARY KEY,
    base    integer NOT NULL DEFAULT 0,
    minimum integer NOT NULL DEFAULT 0,
    backorder integer NOT NULL DEFAULT 0 CHECK (backorder >= 0)   -- how many may be sold that are not there
);
CREATE TABLE moves (
    id    bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    sku   text NOT NULL REFERENCES items ON UPDATE CASCADE,
    delta integer NOT NULL CHECK (delta <> 0),
    held  boolean NOT NULL DEFAULT false      -- in quarantine: does not count yet
);
CREATE INDEX moves_sku ON moves (sku);

CREATE VIEW levels AS
    SELECT i.sku, i.base + coalesce(sum(m.delta) FILTER (WHERE NOT m.held), 0) AS on_hand, i.minimum
    FROM items i LEFT JOIN moves m ON m.sku = i.sku
    GROUP BY i.sku;

CREATE FUNCTION fold_moves() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (SELECT count(*) FROM moves WHERE sku = NEW.sku AND NOT held) >= 8 THEN
        WITH folded AS (DELETE FROM moves WHERE sku = NEW.sku AND NOT held RETURNING delta)
        UPDATE items SET base = greatest(base + (SELECT coalesce(sum(delta), 0) FROM folded), 0) WHERE sku = NEW.sku;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER fold_moves AFTER INSERT ON moves FOR EACH ROW EXECUTE FUNCTION fold_moves();

CREATE PROCEDURE ship(p_sku text, p_n pieces) LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM items WHERE sku = p_sku FOR UPDATE;
    IF (SELECT l.on_hand + i.backorder FROM levels l JOIN items i USING (sku) WHERE sku = p_sku) < p_n THEN
        RAISE EXCEPTION 'not enough of %', p_sku USING ERRCODE = 'check_violation', CONSTRAINT = 'enough';
    END IF;
    INSERT INTO moves (sku, delta) VALUES (p_sku, -p_n);
END $$;

-- Somebody counted: what is there is what is there. What waits in quarantine was not counted.
CREATE PROCEDURE stocktake(p_sku text, p_counted integer) LANGUAGE sql AS $$
    DELETE FROM moves WHERE sku = p_sku AND NOT held;
    UPDATE items SET base = p_counted WHERE sku = p_sku;
$$;
