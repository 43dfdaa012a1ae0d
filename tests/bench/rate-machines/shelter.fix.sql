CREATE OR REPLACE FUNCTION adopt(p_animal integer, p_adopter text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_status(p_animal, '{shelter,foster}', 'adopted');
    UPDATE placements SET ended = true WHERE animal = p_animal AND NOT ended;
    INSERT INTO adoptions (animal, adopter) VALUES (p_animal, p_adopter);
END $$;
