-- Renames constraints of transfers. Harmless: they refuse the same rows with the same SQLSTATEs.

ALTER TABLE transfers RENAME CONSTRAINT amount_is_positive TO transfers_amount_check;
ALTER TABLE transfers RENAME CONSTRAINT reversed_once TO transfers_reverses_key;
