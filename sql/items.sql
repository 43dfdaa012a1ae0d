-- Items that are created, read, updated and deleted through functions, as a web service would call
-- them. The server generates the ids; an id that does not exist raises no_data_found (P0002).

CREATE TABLE items (
    id   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL CONSTRAINT name_fits CHECK (char_length(name) BETWEEN 1 AND 12)
);

CREATE FUNCTION create_item(new_name text) RETURNS bigint
LANGUAGE sql
AS $$
    INSERT INTO items (name) VALUES (new_name) RETURNING id
$$;

CREATE FUNCTION read_item(item bigint) RETURNS text
LANGUAGE plpgsql STABLE
AS $$
DECLARE
    answer text;
BEGIN
    SELECT name INTO answer FROM items WHERE id = item;
    IF NOT FOUND THEN
        RAISE no_data_found USING MESSAGE = format('there is no item %s', item);
    END IF;
    RETURN answer;
END
$$;

CREATE FUNCTION update_item(item bigint, new_name text) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
    UPDATE items SET name = new_name WHERE id = item;
    IF NOT FOUND THEN
        RAISE no_data_found USING MESSAGE = format('there is no item %s', item);
    END IF;
END
$$;

CREATE FUNCTION delete_item(item bigint) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
    DELETE FROM items WHERE id = item;
    IF NOT FOUND THEN
        RAISE no_data_found USING MESSAGE = format('there is no item %s', item);
    END IF;
END
$$;

-- In the order in which they were created.
CREATE FUNCTION list_items() RETURNS SETOF items
LANGUAGE sql STABLE
AS $$
    SELECT * FROM items ORDER BY id
$$;
