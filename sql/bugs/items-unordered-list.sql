-- Planted in items.sql: the list has no ORDER BY, so its rows come in the table's physical order. At first
-- this is the order of creation. But an update writes a new version of the row, behind the others.
--
-- shortest: 3
--   live_1 = create(name="0")
--   live_2 = create(name="0")
--   update(item=live_1, name="0")
-- Seen by the invariant `listed`, which expects a list, and therefore compares the order.

CREATE OR REPLACE FUNCTION list_items() RETURNS SETOF items
LANGUAGE sql STABLE
AS $$
    SELECT * FROM items
$$;
