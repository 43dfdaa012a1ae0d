-- Fault: the backfill cuts names to ten characters.

CREATE TABLE item_names (
    item bigint PRIMARY KEY REFERENCES items ON DELETE CASCADE ON UPDATE CASCADE,
    name text NOT NULL
);

CREATE FUNCTION keep_name() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    INSERT INTO item_names VALUES (NEW.id, NEW.name)
        ON CONFLICT (item) DO UPDATE SET name = EXCLUDED.name;
    RETURN NULL;
END
$$;

CREATE TRIGGER keep_name AFTER INSERT OR UPDATE OF name ON items
    FOR EACH ROW EXECUTE FUNCTION keep_name();

INSERT INTO item_names SELECT id, name::varchar(10) FROM items;

CREATE OR REPLACE FUNCTION read_item(item bigint) RETURNS text
LANGUAGE plpgsql STABLE
AS $$
DECLARE
    answer text;
BEGIN
    SELECT n.name INTO answer FROM item_names n WHERE n.item = read_item.item;
    IF NOT FOUND THEN
        RAISE no_data_found USING MESSAGE = format('there is no item %s', item);
    END IF;
    RETURN answer;
END
$$;
