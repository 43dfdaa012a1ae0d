ALTER TABLE members DROP COLUMN eligible;
