-- One hero of a game, and everything that a player can let him do.
CREATE TABLE hero (
    one     boolean PRIMARY KEY DEFAULT true CHECK (one),
    name    text NOT NULL DEFAULT 'Nemo' CHECK (name <> ''),
    place   text NOT NULL DEFAULT 'village',
    hp      integer NOT NULL DEFAULT 20 CONSTRAINT alive CHECK (hp > 0),
    mana    integer NOT NULL DEFAULT 10 CONSTRAINT has_mana CHECK (mana >= 0),
    gold    integer NOT NULL DEFAULT 5 CONSTRAINT has_gold CHECK (gold >= 0),
    chest   integer NOT NULL DEFAULT 0 CHECK (chest >= 0),
    combo   integer NOT NULL DEFAULT 0,         -- strikes since the last rest
    score   integer NOT NULL DEFAULT 0,
    jump    integer NOT NULL DEFAULT 0,         -- the highest so far
    blessed boolean NOT NULL DEFAULT false,
    wears   text,
    spells  text[] NOT NULL DEFAULT '{}',       -- in the order in which they were learned
    diary   text NOT NULL DEFAULT ''
);
INSERT INTO hero DEFAULT VALUES;
CREATE TABLE pack (item text PRIMARY KEY, n integer NOT NULL CHECK (n > 0));
CREATE TABLE met (who text PRIMARY KEY, times integer NOT NULL DEFAULT 1);

-- What a strike earns, by its number in the combo; it stays at the last value.
CREATE TABLE combo_points (strike integer PRIMARY KEY, points integer NOT NULL);
INSERT INTO combo_points VALUES (1, 1), (2, 2), (3, 4), (4, 7), (5, 10);

CREATE FUNCTION strike() RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
    nth integer;
    won integer;
BEGIN
    UPDATE hero SET combo = combo + 1 RETURNING combo INTO nth;
    SELECT points INTO won FROM combo_points WHERE combo_points.strike = nth;
    UPDATE hero SET score = score + coalesce(won, 0);
    RETURN won;
END $$;

CREATE FUNCTION take(what text) RETURNS void LANGUAGE sql AS $$
    INSERT INTO pack VALUES (what, 1) ON CONFLICT (item) DO UPDATE SET n = pack.n + 1
$$;

CREATE FUNCTION drop_one(what text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM pack WHERE item = what AND n = 1;
    IF FOUND THEN RETURN true; END IF;
    UPDATE pack SET n = n - 1 WHERE item = what;
    RETURN FOUND;
END $$;
