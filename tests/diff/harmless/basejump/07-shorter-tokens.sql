-- Makes tokens without hyphens. Harmless: a token is opaque, and the earlier ones stay valid.

ALTER TABLE basejump.invitations ALTER COLUMN token SET DEFAULT replace(gen_random_uuid()::text, '-', '');
