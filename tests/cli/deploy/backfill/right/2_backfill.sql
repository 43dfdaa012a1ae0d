-- A row that somebody changes meanwhile is read again once the change is committed.
INSERT INTO addresses SELECT id, mail FROM people FOR UPDATE ON CONFLICT DO NOTHING;
