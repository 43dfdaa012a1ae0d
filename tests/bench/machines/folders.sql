-- A tree of folders, as in a file store. A folder must not be moved below itself, but the check looks only at its
-- direct children. A move into a grandchild makes a ring.
CREATE TABLE folders (
    id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    parent int REFERENCES folders
);

CREATE FUNCTION move_folder(folder int, into_folder int) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    IF folder = into_folder OR EXISTS (SELECT FROM folders WHERE id = into_folder AND parent = folder) THEN
        RETURN false;
    END IF;
    UPDATE folders SET parent = into_folder WHERE id = folder;
    RETURN true;
END $$;
