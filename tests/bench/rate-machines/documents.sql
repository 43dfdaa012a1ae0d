-- Documents of a content management system. Readers see the revision that was published last.

CREATE TABLE documents (
    id        integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    published integer,                        -- number of the public revision
    trashed   boolean NOT NULL DEFAULT false
);

CREATE TABLE revisions (
    document_id integer NOT NULL REFERENCES documents,
    number      integer NOT NULL,
    body        text NOT NULL,
    PRIMARY KEY (document_id, number)
);

CREATE VIEW public_documents AS
SELECT d.id, r.body
  FROM documents AS d JOIN revisions AS r ON r.document_id = d.id AND r.number = d.published
 WHERE NOT d.trashed;

CREATE FUNCTION edit_document(document integer, new_body text) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO revisions
    SELECT id, (SELECT coalesce(max(number), 0) + 1 FROM revisions WHERE document_id = id), new_body
      FROM documents WHERE id = document AND NOT trashed;
    RETURN FOUND;
END $$;

CREATE FUNCTION create_document(first_body text) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
    document integer;
BEGIN
    INSERT INTO documents DEFAULT VALUES RETURNING id INTO document;
    PERFORM edit_document(document, first_body);
    RETURN document;
END $$;

CREATE FUNCTION publish_document(document integer) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE documents SET published = (SELECT max(number) FROM revisions WHERE document_id = id)
     WHERE id = document AND NOT trashed;
    RETURN FOUND;
END $$;

CREATE FUNCTION unpublish_document(document integer) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE documents SET published = NULL WHERE id = document AND NOT trashed AND published IS NOT NULL;
    RETURN FOUND;
END $$;

CREATE FUNCTION trash_document(document integer) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE documents SET trashed = true WHERE id = document AND NOT trashed;
    RETURN FOUND;
END $$;

-- Brings a document back; one that was public is public again.
CREATE FUNCTION restore_document(document integer) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
    was_published boolean;
BEGIN
    UPDATE documents SET trashed = false WHERE id = document AND trashed
    RETURNING published IS NOT NULL INTO was_published;
    IF was_published THEN
        PERFORM publish_document(document);
    END IF;
    RETURN was_published IS NOT NULL;
END $$;
