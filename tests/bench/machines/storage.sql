-- File storage: an object that is moved leaves a redirect, so that old links keep working. The redirect hides a new
-- object that is stored under the old name later.
CREATE TABLE objects (
    name text PRIMARY KEY,
    content int NOT NULL
);
CREATE TABLE redirects (
    name text PRIMARY KEY,
    target text NOT NULL
);

CREATE FUNCTION move_object(old_name text, new_name text) RETURNS void LANGUAGE sql BEGIN ATOMIC
    UPDATE objects SET name = new_name WHERE name = old_name;
    DELETE FROM redirects WHERE name IN (old_name, new_name);
    INSERT INTO redirects VALUES (old_name, new_name);
END;

CREATE FUNCTION delete_object(gone text) RETURNS void LANGUAGE sql BEGIN ATOMIC
    DELETE FROM objects WHERE name = gone;
    DELETE FROM redirects WHERE gone IN (name, target);
END;

-- What a download of each object returns.
CREATE VIEW downloads AS
    SELECT o.name, coalesce(t.content, o.content) AS content
    FROM objects o LEFT JOIN redirects r USING (name) LEFT JOIN objects t ON t.name = r.target;
