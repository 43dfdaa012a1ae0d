-- What triggers always do, defaults of columns that may be NULL, and lengths.
CREATE TABLE author (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    name text NOT NULL CONSTRAINT author_name CHECK (char_length(name) BETWEEN 1 AND 300),
    link text CONSTRAINT author_link CHECK (link LIKE 'https://%'),
    score numeric DEFAULT 0.5,
    made timestamptz DEFAULT now(),
    touched timestamptz NOT NULL
);
CREATE TABLE page (
    id serial PRIMARY KEY,
    author uuid NOT NULL REFERENCES author ON DELETE CASCADE,
    title text NOT NULL,
    slug text,
    words jsonb NOT NULL DEFAULT '{}'
);
CREATE TABLE audit (id bigserial PRIMARY KEY, what text NOT NULL, author text);
CREATE TABLE secret (author uuid PRIMARY KEY, token text);

CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.touched = now();
    RETURN NEW;
END $$;
CREATE TRIGGER touch_new BEFORE INSERT ON author FOR EACH ROW EXECUTE FUNCTION touch();
CREATE TRIGGER touch BEFORE UPDATE ON author FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION touch();

CREATE FUNCTION name_page() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.title = '' THEN
        RAISE EXCEPTION 'a page needs a title';
    END IF;
    NEW.slug := lower(NEW.title) || NEW.id;
    RETURN NEW;
END $$;
CREATE TRIGGER name_page BEFORE INSERT OR UPDATE OF title ON page FOR EACH ROW EXECUTE FUNCTION name_page();

CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    name text;
BEGIN
    EXECUTE 'SELECT $1.' || quote_ident(TG_ARGV[0]) USING CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END INTO name;
    INSERT INTO audit (what, author) VALUES (TG_OP, name);
    RETURN NULL;
END $$;
CREATE TRIGGER note AFTER DELETE OR UPDATE ON author FOR EACH ROW EXECUTE FUNCTION note('name');
CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO secret VALUES (NEW.id, md5(NEW.name)) ON CONFLICT DO NOTHING;
    INSERT INTO public.audit (what) VALUES ('secret');
    RETURN NEW;
END $$;
CREATE TRIGGER keep AFTER INSERT ON author FOR EACH ROW EXECUTE FUNCTION keep();
