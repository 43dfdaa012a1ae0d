-- Planted in items.sql: the list does not say in what order it wants its rows. They come as they lie in the
-- table, which is the order in which they were made until one is updated: its new version lies behind the
-- others.
--
-- shortest: 3
--   live_1 = create(name="0")
--   live_2 = create(name="0")
--   update(item=live_1, name="0")
-- Seen by the invariant `listed`, which expects a list, so that the order counts.

CREATE OR REPLACE FUNCTION list_items() RETURNS SETOF items
LANGUAGE sql STABLE
AS $$
    SELECT * FROM items
$$;
