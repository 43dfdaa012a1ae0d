-- Planted in items.sql: deleting only marks the row. Reading, updating and deleting ignore marked items, but
-- the list does not.
--
-- shortest: 2
--   live_1 = create(name="0")
--   deleted_1 = delete(item=live_1)
-- Seen by the invariant `listed`: the deleted item is listed.

ALTER TABLE items ADD COLUMN deleted boolean NOT NULL DEFAULT false;

CREATE OR REPLACE FUNCTION read_item(item bigint) RETURNS text
LANGUAGE plpgsql STABLE
AS $$
DECLARE
    answer text;
BEGIN
    SELECT name INTO answer FROM items WHERE id = item AND NOT deleted;
    IF NOT FOUND THEN
        RAISE no_data_found USING MESSAGE = format('there is no item %s', item);
    END IF;
    RETURN answer;
END
$$;

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
