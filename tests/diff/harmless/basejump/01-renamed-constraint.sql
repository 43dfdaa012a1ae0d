-- Renames the constraint of slugs. Harmless: it refuses the same slugs with the same SQLSTATE.

ALTER TABLE basejump.accounts RENAME CONSTRAINT accounts_slug_key TO accounts_slug_is_free;
