-- Keys that change: every ON UPDATE, through two tables, to the table itself, over two columns.
CREATE TABLE language (code text PRIMARY KEY CHECK (code ~ '^[a-z]{2}$'), name text NOT NULL UNIQUE);
CREATE TABLE page (
    id serial PRIMARY KEY,
    slug text NOT NULL UNIQUE,
    language text NOT NULL REFERENCES language ON UPDATE CASCADE,
    author text REFERENCES language (name) ON UPDATE SET NULL ON DELETE SET NULL
);
CREATE TABLE translation (
    page text REFERENCES page (slug) ON UPDATE CASCADE ON DELETE CASCADE,
    language text REFERENCES language ON UPDATE CASCADE ON DELETE RESTRICT,
    body text,
    PRIMARY KEY (page, language)
);
CREATE TABLE comment (
    id uuid PRIMARY KEY,
    page text, language text,
    parent uuid REFERENCES comment ON UPDATE CASCADE ON DELETE CASCADE,
    FOREIGN KEY (page, language) REFERENCES translation ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE TABLE pinned (
    language text PRIMARY KEY REFERENCES language ON UPDATE RESTRICT,
    fallback text DEFAULT 'en' REFERENCES language ON UPDATE SET DEFAULT,
    old text REFERENCES language
);
CREATE TABLE node (
    a int, b int, up_a int, up_b int,
    PRIMARY KEY (b, a),
    FOREIGN KEY (up_b, up_a) REFERENCES node ON UPDATE CASCADE ON DELETE SET NULL
);
