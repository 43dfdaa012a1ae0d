-- Bills are kept without their subscriber (SET NULL) when it is deleted, instead of being deleted with it (CASCADE).
-- shortest: 3 requests
--   s = INSERT INTO subscribers (fee) VALUES (1) RETURNING id
--   INSERT INTO bills (month, subscriber, amount) VALUES (1, :s, 1)
--   DELETE FROM subscribers WHERE id = :s

ALTER TABLE bills
    ALTER COLUMN subscriber DROP NOT NULL,
    DROP CONSTRAINT bills_subscriber_fkey,
    ADD CONSTRAINT bills_subscriber_fkey FOREIGN KEY (subscriber) REFERENCES subscribers ON DELETE SET NULL;
