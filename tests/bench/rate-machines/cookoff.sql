-- Chili cook-offs: judges give points, the standings give the places.
CREATE TABLE cookoffs (
    id     integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    town   text NOT NULL,
    closed boolean NOT NULL DEFAULT false
);

CREATE TABLE entries (
    id         integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    cookoff_id integer NOT NULL REFERENCES cookoffs,
    cook       text NOT NULL,
    withdrawn  boolean NOT NULL DEFAULT false
);

CREATE TABLE scores (
    entry_id integer NOT NULL REFERENCES entries,
    judge    text NOT NULL,
    points   integer NOT NULL CHECK (points BETWEEN 1 AND 10),
    PRIMARY KEY (entry_id, judge)
);

CREATE FUNCTION scores_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM entries e JOIN cookoffs c ON c.id = e.cookoff_id
      WHERE e.id = NEW.entry_id AND NOT e.withdrawn AND NOT c.closed;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'entry % can''t be scored', NEW.entry_id;
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER scores_guard BEFORE INSERT OR UPDATE ON scores FOR EACH ROW EXECUTE FUNCTION scores_guard();

-- The highest total wins. Of equal totals, the one with the better best score is first. If these are equal, too, the
-- entries share the place, and the next places are left out (1, 2, 2, 4).
CREATE VIEW standings AS
    SELECT e.cookoff_id, e.id AS entry_id, t.total,
           rank() OVER (PARTITION BY e.cookoff_id ORDER BY t.total DESC, t.best) AS place
      FROM entries e
     CROSS JOIN LATERAL (SELECT COALESCE(sum(points), 0) AS total, COALESCE(max(points), 0) AS best
                           FROM scores WHERE entry_id = e.id) t
     WHERE NOT e.withdrawn;

CREATE FUNCTION close_cookoff(p_cookoff integer) RETURNS SETOF integer LANGUAGE plpgsql AS $$
BEGIN
    UPDATE cookoffs SET closed = true WHERE id = p_cookoff AND NOT closed;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'cook-off % is closed', p_cookoff;
    END IF;
    RETURN QUERY SELECT entry_id FROM standings
                  WHERE cookoff_id = p_cookoff AND place <= 3 AND total > 0 ORDER BY place, entry_id;
END $$;
