-- Planted in items.sql: a new item gets the greatest id in the table plus one, so the id of a deleted item
-- can be used again. Whoever still has that id reads another item.
--
-- shortest: 4
--   live_1 = create(name="0")
--   deleted_1 = delete(item=live_1)
--   live_2 = create(name="0")
--   read_deleted(item=deleted_1)
-- Seen in the fourth step: no_data_found is expected but not raised.

CREATE OR REPLACE FUNCTION create_item(new_name text) RETURNS bigint
LANGUAGE sql
AS $$
    INSERT INTO items (id, name) OVERRIDING SYSTEM VALUE
    SELECT coalesce(max(id), 0) + 1, new_name FROM items
    RETURNING id
$$;
