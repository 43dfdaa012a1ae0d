-- Tours of a delivery van: the stops of a tour are a doubly linked list.
CREATE TABLE tours (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    driver     text NOT NULL,
    first_stop bigint
);

CREATE TABLE stops (
    id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tour    bigint NOT NULL REFERENCES tours ON DELETE CASCADE,
    place   text NOT NULL,
    visited boolean NOT NULL DEFAULT false,
    prev_id bigint,
    next_id bigint
);

CREATE INDEX stops_tour ON stops (tour);

CREATE FUNCTION route(p_tour bigint) RETURNS TABLE (stop bigint, place text, visited boolean)
LANGUAGE sql STABLE AS $$
    WITH RECURSIVE walk AS (
        SELECT s.*, 1 AS n FROM tours t JOIN stops s ON s.id = t.first_stop WHERE t.id = p_tour
        UNION ALL
        SELECT s.*, walk.n + 1 FROM walk JOIN stops s ON s.id = walk.next_id WHERE walk.n < 1000)
    SELECT id, walk.place, walk.visited FROM walk ORDER BY n
$$;

CREATE FUNCTION append_stop(p_tour bigint, p_place text) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    v_last bigint;
    v_id   bigint;
BEGIN
    SELECT stop INTO v_last FROM route(p_tour) WITH ORDINALITY AS r ORDER BY r.ordinality DESC LIMIT 1;
    INSERT INTO stops (tour, place, prev_id) VALUES (p_tour, p_place, v_last) RETURNING id INTO v_id;
    IF v_last IS NULL THEN
        UPDATE tours SET first_stop = v_id WHERE id = p_tour;
    ELSE
        UPDATE stops SET next_id = v_id WHERE id = v_last;
    END IF;
    RETURN v_id;
END $$;

CREATE FUNCTION insert_stop(p_after bigint, p_place text) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    a    stops;
    v_id bigint;
BEGIN
    SELECT * INTO a FROM stops WHERE id = p_after FOR UPDATE;
    IF NOT FOUND THEN
        RAISE no_data_found;
    END IF;
    INSERT INTO stops (tour, place, prev_id, next_id) VALUES (a.tour, p_place, a.id, a.next_id)
    RETURNING id INTO v_id;
    UPDATE stops SET next_id = v_id WHERE id = a.id;
    UPDATE stops SET prev_id = v_id WHERE id = a.next_id;
    RETURN v_id;
END $$;

-- A visited stop stays in the tour.
CREATE FUNCTION remove_stop(p_stop bigint) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
    s stops;
BEGIN
    DELETE FROM stops WHERE id = p_stop AND NOT visited RETURNING * INTO s;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    IF s.prev_id IS NULL THEN
        UPDATE tours SET first_stop = s.next_id WHERE id = s.tour;
        UPDATE stops SET prev_id = NULL WHERE id = s.next_id;
    ELSE
        UPDATE stops SET next_id = s.next_id WHERE id = s.prev_id;
    END IF;
    RETURN true;
END $$;

CREATE FUNCTION visit_stop(p_stop bigint) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE stops SET visited = true WHERE id = p_stop AND NOT visited;
    RETURN FOUND;
END $$;

CREATE FUNCTION change_place(p_stop bigint, p_place text) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE stops SET place = p_place WHERE id = p_stop AND NOT visited;
    RETURN FOUND;
END $$;
