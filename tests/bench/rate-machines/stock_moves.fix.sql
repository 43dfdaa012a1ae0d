-- A level below zero is what backorders are for.
CREATE OR REPLACE FUNCTION fold_moves() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (SELECT count(*) FROM moves WHERE sku = NEW.sku AND NOT held) >= 8 THEN
        WITH folded AS (DELETE FROM moves WHERE sku = NEW.sku AND NOT held RETURNING delta)
        UPDATE items SET base = base + (SELECT coalesce(sum(delta), 0) FROM folded) WHERE sku = NEW.sku;
    END IF;
    RETURN NULL;
END $$;
