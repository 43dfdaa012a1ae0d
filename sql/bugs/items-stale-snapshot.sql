-- Planted in items.sql: reading asks a snapshot of the items, which is taken anew where it does not hold as
-- many as there are. After one is deleted and another one created there are as many, and the one just
-- created is not found.
--
-- shortest: 5
--   live_1 = create(name="0")
--   read(item=live_1)
--   deleted_1 = delete(item=live_1)
--   live_2 = create(name="0")
--   read(item=live_2)
-- Seen in the fifth step: no_data_found, and nothing is to be raised. An update takes the
-- snapshot away, since it changes a name; for the rest it was thought enough to count.

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
