-- Contacts of a CRM. Duplicates are merged: each group of duplicates has one main contact, and the others point
-- to it. The smaller group joins the larger one. Points are collected for the group.

CREATE TABLE contacts (
    id          uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    name        text NOT NULL,
    merged_into uuid REFERENCES contacts,
    members     integer NOT NULL DEFAULT 1,      -- of the group; kept in its main contact
    points      integer NOT NULL DEFAULT 0,      -- likewise
    CHECK (merged_into <> id)
);

CREATE INDEX ON contacts (merged_into) WHERE merged_into IS NOT NULL;

CREATE FUNCTION main_contact(contact uuid) RETURNS uuid
LANGUAGE sql STABLE AS $$
    SELECT coalesce(merged_into, id) FROM contacts WHERE id = contact
$$;

-- Returns the main contact of the merged group. On a tie, the group of the first argument stays.
CREATE FUNCTION merge(one uuid, other uuid) RETURNS uuid
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
    UPDATE contacts SET merged_into = winner.id, points = 0, members = 1 WHERE id = loser.id;
    UPDATE contacts SET members = members + loser.members, points = points + loser.points WHERE id = winner.id;
    RETURN winner.id;
END $$;

CREATE FUNCTION award(contact uuid, n integer) RETURNS void
LANGUAGE sql AS $$
    UPDATE contacts SET points = points + n WHERE id = main_contact(contact)
$$;

-- Takes a contact out of its group, without points. A main contact can't leave.
CREATE FUNCTION leave(contact uuid) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE contacts SET members = members - 1
     WHERE id = (SELECT merged_into FROM contacts WHERE id = contact);
    UPDATE contacts SET merged_into = NULL WHERE id = contact AND merged_into IS NOT NULL;
    RETURN FOUND;
END $$;
