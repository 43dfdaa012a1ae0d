-- A migration that forgets to make names small.
CREATE OR REPLACE VIEW listed AS SELECT id, name FROM members;
