CREATE OR REPLACE FUNCTION merge(one uuid, other uuid) RETURNS uuid
LANGUAGE plpgsql AS $$
DECLARE
    winner contacts;
    loser  contacts;
    swap   contacts;
BEGIN
    SELECT * INTO winner FROM contacts WHERE id = main_contact(one);
    SELECT * INTO loser FROM contacts WHERE id = main_contact(other);
    IF winner.id = loser.id THEN
        RETURN winner.id;
    END IF;
    IF winner.members < loser.members THEN
        swap := winner; winner := loser; loser := swap;
    END IF;
    UPDATE contacts SET merged_into = winner.id, points = 0, members = 1
     WHERE id = loser.id OR merged_into = loser.id;
    UPDATE contacts SET members = members + loser.members, points = points + loser.points WHERE id = winner.id;
    RETURN winner.id;
END $$;
