-- Stock of a warehouse. An order that the shelf can't serve waits for the next delivery.

CREATE TABLE stock (
    sku         text PRIMARY KEY,
    on_hand     integer NOT NULL DEFAULT 0,
    reserved    integer NOT NULL DEFAULT 0 CHECK (reserved BETWEEN 0 AND on_hand),
    backordered integer NOT NULL DEFAULT 0 CHECK (backordered >= 0),
    waiting     integer NOT NULL DEFAULT 0,      -- delivered while the item was frozen
    frozen      boolean NOT NULL DEFAULT false,  -- the item is being counted, so its shelf stays as it is
    listed      boolean NOT NULL DEFAULT true
);

-- Reserves as much for the backorders as is left on the shelf.
CREATE FUNCTION serve_backorders(item text) RETURNS void
LANGUAGE sql AS $$
    UPDATE stock
       SET reserved = reserved + least(backordered, on_hand - reserved),
           backordered = backordered - least(backordered, on_hand - reserved)
     WHERE sku = item AND NOT frozen
$$;

CREATE FUNCTION order_item(item text, n integer) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE stock SET backordered = backordered + n WHERE sku = item;
    PERFORM serve_backorders(item);
END $$;

CREATE FUNCTION receive_item(item text, n integer) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE stock
       SET on_hand = on_hand + CASE WHEN frozen THEN 0 ELSE n END,
           waiting = waiting + CASE WHEN frozen THEN n ELSE 0 END
     WHERE sku = item;
    PERFORM serve_backorders(item);
END $$;

-- Ships all that is reserved.
CREATE FUNCTION ship_item(item text) RETURNS void
LANGUAGE sql AS $$
    UPDATE stock SET on_hand = on_hand - reserved, reserved = 0 WHERE sku = item AND NOT frozen
$$;

CREATE FUNCTION freeze_item(item text) RETURNS void
LANGUAGE sql AS $$
    UPDATE stock SET frozen = true WHERE sku = item
$$;

-- The count is over, so the goods that were waiting go to the shelf.
CREATE FUNCTION unfreeze_item(item text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE stock SET frozen = false, on_hand = on_hand + waiting, waiting = 0 WHERE sku = item;
    PERFORM serve_backorders(item);
END $$;

-- Only an item without goods or orders can leave the catalogue. Its row stays, for the statistics.
CREATE FUNCTION delist_item(item text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE stock SET listed = false
     WHERE sku = item AND on_hand = 0 AND backordered = 0 AND waiting = 0;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'there are still goods or orders of %', item;
    END IF;
END $$;

CREATE FUNCTION relist_item(item text) RETURNS void
LANGUAGE sql AS $$
    UPDATE stock SET listed = true WHERE sku = item
$$;
