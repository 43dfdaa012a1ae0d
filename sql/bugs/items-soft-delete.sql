-- Planted in items.sql: deleting only marks the row. The list ignores marked items, but reading one by its
-- id does not.
--
-- shortest: 3
--   live_1 = create(name="0")
--   deleted_1 = delete(item=live_1)
--   read_deleted(item=deleted_1)
-- Seen in the third step: no_data_found is expected but not raised.

ALTER TABLE items ADD COLUMN deleted boolean NOT NULL DEFAULT false;

CREATE OR REPLACE FUNCTION update_item(item bigint, new_name text) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
    UPDATE items SET name = new_name WHERE id = item AND NOT deleted;
    IF NOT FOUND THEN
        RAISE no_data_found USING MESSAGE = format('there is no item %s', item);
    END IF;
END
$$;

CREATE OR REPLACE FUNCTION delete_item(item bigint) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
    UPDATE items SET deleted = true WHERE id = item AND NOT deleted;
    IF NOT FOUND THEN
        RAISE no_data_found USING MESSAGE = format('there is no item %s', item);
    END IF;
END
$$;

CREATE OR REPLACE FUNCTION list_items() RETURNS SETOF items
LANGUAGE sql STABLE
AS $$
    SELECT * FROM items WHERE NOT deleted ORDER BY id
$$;
