CREATE TABLE animals (
    id     integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name   text NOT NULL CHECK (name <> ''),
    status text NOT NULL DEFAULT 'intake' CHECK (status IN ('intake', 'shelter', 'hold', 'foster', 'adopted'))
);
CREATE TABLE placements (                -- stays with foster families
    id     integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    animal integer NOT NULL REFERENCES animals,
    family text NOT NULL,
    ended  boolean NOT NULL DEFAULT false
);
CREATE TABLE adoptions (
    id       integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    animal   integer NOT NULL REFERENCES animals,
    adopter  text NOT NULL,
    returned boolean NOT NULL DEFAULT false
);

-- What the public web site lists
CREATE VIEW adoptable AS
SELECT a.id, a.name
  FROM animals a
 WHERE a.status = 'shelter'
   AND NOT EXISTS (SELECT FROM placements p WHERE p.animal = a.id AND NOT p.ended);

CREATE FUNCTION set_status(p_animal integer, p_from text[], p_to text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE animals SET status = p_to WHERE id = p_animal AND status = ANY (p_from);
    IF NOT FOUND THEN
        RAISE EXCEPTION 'animal % can not go to %', p_animal, p_to;
    END IF;
END $$;

CREATE FUNCTION foster(p_animal integer, p_family text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_status(p_animal, '{shelter}', 'foster');
    INSERT INTO placements (animal, family) VALUES (p_animal, p_family);
END $$;

CREATE FUNCTION end_foster(p_animal integer) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_status(p_animal, '{foster}', 'shelter');
    UPDATE placements SET ended = true WHERE animal = p_animal AND NOT ended;
END $$;

CREATE FUNCTION adopt(p_animal integer, p_adopter text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_status(p_animal, '{shelter,foster}', 'adopted');
    INSERT INTO adoptions (animal, adopter) VALUES (p_animal, p_adopter);
END $$;

-- A returned animal has to see the vet again.
CREATE FUNCTION return_animal(p_animal integer) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_status(p_animal, '{adopted}', 'intake');
    UPDATE adoptions SET returned = true WHERE animal = p_animal AND NOT returned;
END $$;
