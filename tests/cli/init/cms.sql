-- A CMS in several languages: natural keys that change, trees, translations, blocks with a shape, revisions, redirects.
CREATE DOMAIN locale AS text CHECK (VALUE ~ '^[a-z]{2}(-[A-Z]{2})?$');
CREATE DOMAIN path_segment AS varchar(80) NOT NULL CHECK (VALUE <> '' AND VALUE !~ '[/?#]');
CREATE TYPE publication AS ENUM ('draft', 'scheduled', 'live', 'archived');
CREATE TABLE languages (code locale PRIMARY KEY, name text NOT NULL, fallback locale REFERENCES languages ON UPDATE CASCADE ON DELETE SET NULL, CHECK (fallback IS DISTINCT FROM code));
CREATE TABLE editors (id serial PRIMARY KEY, email text NOT NULL UNIQUE CHECK (position('@' IN email) > 1), languages text[] DEFAULT '{}');
CREATE TABLE content_types (name text PRIMARY KEY, fields jsonb NOT NULL CHECK (jsonb_typeof(fields) = 'array'));
CREATE TABLE entries (
    id uuid PRIMARY KEY,
    type text NOT NULL REFERENCES content_types ON UPDATE CASCADE ON DELETE RESTRICT,
    parent uuid,
    segment path_segment,
    position int NOT NULL CHECK (position >= 0),
    state publication NOT NULL DEFAULT 'draft',
    publish_at timestamptz,
    author int DEFAULT NULL REFERENCES editors ON DELETE SET DEFAULT,
    CONSTRAINT tree FOREIGN KEY (parent) REFERENCES entries ON UPDATE CASCADE ON DELETE CASCADE,
    CONSTRAINT not_its_own_parent CHECK (parent <> id),
    CONSTRAINT when_scheduled CHECK (state <> 'scheduled' OR publish_at IS NOT NULL),
    CONSTRAINT places UNIQUE (parent, position) DEFERRABLE INITIALLY IMMEDIATE
);
CREATE UNIQUE INDEX entries_path ON entries (coalesce(parent, '00000000-0000-0000-0000-000000000000'), lower(segment));
CREATE TABLE translations (
    entry uuid REFERENCES entries ON UPDATE CASCADE ON DELETE CASCADE,
    language locale REFERENCES languages ON UPDATE CASCADE,
    title text NOT NULL CHECK (length(title) BETWEEN 1 AND 120),
    body jsonb NOT NULL DEFAULT '{"blocks": []}' CONSTRAINT body_shape CHECK (jsonb_typeof(body -> 'blocks') = 'array'),
    words int GENERATED ALWAYS AS (array_length(regexp_split_to_array(title, '\s+'), 1)) STORED,
    PRIMARY KEY (entry, language)
);
CREATE TABLE revisions (
    entry uuid NOT NULL,
    language locale NOT NULL,
    number int NOT NULL CHECK (number >= 1),
    title text,
    by_editor int REFERENCES editors ON DELETE SET NULL,
    PRIMARY KEY (entry, language, number),
    FOREIGN KEY (entry, language) REFERENCES translations ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE TABLE tags (name text PRIMARY KEY, same_as text REFERENCES tags ON UPDATE SET NULL ON DELETE SET NULL);
CREATE TABLE entry_tags (
    entry uuid REFERENCES entries ON UPDATE CASCADE ON DELETE CASCADE,
    tag text REFERENCES tags ON UPDATE CASCADE ON DELETE CASCADE,
    weight real NOT NULL DEFAULT 1 CHECK (weight > 0 AND weight <= 1),
    PRIMARY KEY (entry, tag)
);
CREATE TABLE assets (
    sha256 bytea PRIMARY KEY CHECK (octet_length(sha256) = 4),
    mime text NOT NULL CHECK (mime SIMILAR TO '(image|video)/[a-z]+'),
    bytes bigint NOT NULL CHECK (bytes > 0),
    width int, height int,
    CONSTRAINT both_or_none CHECK (num_nulls(width, height) <> 1)
);
CREATE TABLE entry_assets (entry uuid NOT NULL REFERENCES entries ON UPDATE CASCADE ON DELETE CASCADE, slot text NOT NULL, asset bytea NOT NULL REFERENCES assets ON DELETE RESTRICT, alt text, UNIQUE (entry, slot));
CREATE TABLE redirects (from_path text PRIMARY KEY CHECK (from_path LIKE '/%'), to_entry uuid REFERENCES entries ON UPDATE CASCADE ON DELETE CASCADE, to_url text, permanent boolean NOT NULL DEFAULT false, CHECK (num_nonnulls(to_entry, to_url) = 1));
CREATE TABLE menus (name text, language locale REFERENCES languages ON UPDATE RESTRICT, PRIMARY KEY (name, language));
CREATE TABLE menu_items (menu text, language text, place smallint, entry uuid REFERENCES entries ON UPDATE SET NULL ON DELETE SET NULL, label text NOT NULL, PRIMARY KEY (menu, language, place), FOREIGN KEY (menu, language) REFERENCES menus (name, language) ON UPDATE CASCADE ON DELETE CASCADE);
CREATE FUNCTION keep_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.title IS DISTINCT FROM OLD.title THEN
        INSERT INTO revisions (entry, language, number, title)
        SELECT NEW.entry, NEW.language, coalesce(max(number), 0) + 1, OLD.title FROM revisions WHERE entry = NEW.entry AND language = NEW.language;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER keep_revision AFTER UPDATE ON translations FOR EACH ROW EXECUTE FUNCTION keep_revision();
CREATE VIEW live AS SELECT e.id, t.language, t.title FROM entries e JOIN translations t ON t.entry = e.id WHERE e.state = 'live' OR e.state = 'scheduled' AND e.publish_at <= now();
