ALTER TABLE people RENAME COLUMN mail TO email;
