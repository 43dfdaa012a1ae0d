CREATE TYPE translation_status AS ENUM ('empty', 'draft', 'review', 'approved', 'live', 'hidden');
CREATE TABLE translations (
    locale   text PRIMARY KEY,
    status   translation_status NOT NULL DEFAULT 'empty',
    outdated boolean NOT NULL DEFAULT false
);
INSERT INTO translations (locale)
SELECT unnest(ARRAY['cs', 'da', 'de', 'es', 'fi', 'fr', 'it', 'ja', 'nl', 'pl', 'pt-BR', 'sv']);

CREATE FUNCTION move(p_locale text, p_from translation_status[], p_to translation_status) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE translations SET status = p_to WHERE locale = p_locale AND status = ANY (p_from);
    IF NOT FOUND THEN
        RAISE EXCEPTION 'translation % can not become %', p_locale, p_to;
    END IF;
END $$;

CREATE FUNCTION edit(p_locale text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM move(p_locale, '{empty,approved,hidden}', 'draft');
    UPDATE translations SET outdated = false WHERE locale = p_locale;
END $$;

CREATE FUNCTION publish(p_locale text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    IF (SELECT outdated FROM translations WHERE locale = p_locale) THEN
        RAISE EXCEPTION 'translation % is outdated', p_locale;
    END IF;
    PERFORM move(p_locale, '{approved,hidden}', 'live');
END $$;

-- The English source text has changed: what was translated from the old one has to be checked again.
CREATE FUNCTION source_changed() RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE translations SET status = 'draft' WHERE status = 'review';
    UPDATE translations SET outdated = true WHERE status IN ('approved', 'live');
END $$;
