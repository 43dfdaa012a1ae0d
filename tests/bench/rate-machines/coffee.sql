-- The control panel of a coffee machine: one row of settings, and what it has brewed.
CREATE TABLE panel (
    only_row   boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    name       varchar(12) NOT NULL DEFAULT 'coffee',
    lang       char(2) NOT NULL DEFAULT 'en',
    volume     integer NOT NULL DEFAULT 5 CHECK (volume BETWEEN 0 AND 10),
    strength   integer NOT NULL DEFAULT 2 CHECK (strength BETWEEN 1 AND 3),
    celsius    integer NOT NULL DEFAULT 92 CHECK (celsius BETWEEN 85 AND 96),
    brightness numeric(3,2) NOT NULL DEFAULT 1.00,
    beans      integer NOT NULL DEFAULT 0,
    milk       integer NOT NULL DEFAULT 0,
    coins      integer[] NOT NULL DEFAULT '{}',
    alarm      time,
    eco        boolean NOT NULL DEFAULT false,
    favorites  jsonb NOT NULL DEFAULT '{}'
);
INSERT INTO panel DEFAULT VALUES;

CREATE TABLE brewed (
    id      integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    drink   text NOT NULL,
    cleaned boolean NOT NULL DEFAULT false      -- the machine was cleaned after it
);

CREATE FUNCTION limited(value integer, least_ integer, most integer) RETURNS integer IMMUTABLE LANGUAGE sql AS $$
    SELECT greatest(least_, least(most, value))
$$;

-- After eight drinks the machine has to be cleaned before it brews another.
CREATE FUNCTION brew(what text) RETURNS integer LANGUAGE plpgsql AS $$
BEGIN
    IF (SELECT count(*) FROM brewed WHERE NOT cleaned) > 8 THEN
        RAISE EXCEPTION 'clean me' USING ERRCODE = 'CM001';
    END IF;
    INSERT INTO brewed (drink) VALUES (what);
    RETURN (SELECT count(*) FROM brewed);
END $$;

CREATE FUNCTION clean() RETURNS void LANGUAGE sql AS $$
    UPDATE brewed SET cleaned = true WHERE NOT cleaned
$$;
