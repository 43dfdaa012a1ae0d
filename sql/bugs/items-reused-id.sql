-- Planted in items.sql: a new item takes the id after the greatest one in the table, so the id of a
-- deleted item is given out again and whoever still holds it reads somebody else's item.
--
-- shortest: 4
--   live_1 = create(name="0")
--   deleted_1 = delete(item=live_1)
--   live_2 = create(name="0")
--   read_deleted(item=deleted_1)
-- Seen in the fourth step: no_data_found is expected and not raised.

CREATE OR REPLACE FUNCTION create_item(new_name text) RETURNS bigint
LANGUAGE sql
AS $$
    INSERT INTO items (id, name) OVERRIDING SYSTEM VALUE
    SELECT coalesce(max(id), 0) + 1, new_name FROM items
    RETURNING id
$$;
