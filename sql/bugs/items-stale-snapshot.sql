-- Planted in items.sql: read_item reads from a snapshot of the items, and takes a new one only after an update,
-- or if the number of items has changed. After one item is deleted and another created, the number is the same,
-- and the new item is not found.
--
-- shortest: 5
--   live_1 = create(name="0")
--   read(item=live_1)
--   deleted_1 = delete(item=live_1)
--   live_2 = create(name="0")
--   read(item=live_2)
-- Seen in the fifth step: no error is expected, but no_data_found is raised.

CREATE TABLE snapshot (
    id   bigint PRIMARY KEY,
    name text NOT NULL
);

CREATE OR REPLACE FUNCTION read_item(item bigint) RETURNS text
LANGUAGE plpgsql
AS $$
DECLARE
    answer text;
BEGIN
    IF (SELECT count(*) FROM snapshot) <> (SELECT count(*) FROM items) THEN
        DELETE FROM snapshot;
        INSERT INTO snapshot SELECT id, name FROM items;
    END IF;
    SELECT name INTO answer FROM snapshot WHERE id = item;
    IF NOT FOUND THEN
        RAISE no_data_found USING MESSAGE = format('there is no item %s', item);
    END IF;
    RETURN answer;
END
$$;

CREATE FUNCTION forget_snapshot() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    DELETE FROM snapshot;
    RETURN NULL;
END
$$;

CREATE TRIGGER forget_snapshot AFTER UPDATE ON items
    FOR EACH STATEMENT EXECUTE FUNCTION forget_snapshot();
