-- A change each, below a line with its name: planted.bash loads one after schema.sql.

-- not-null
ALTER TABLE people ALTER COLUMN name DROP NOT NULL;

-- not-null-of-wide-table
ALTER TABLE profiles ALTER COLUMN title DROP NOT NULL;

-- not-null-with-default
ALTER TABLE profiles ALTER COLUMN url DROP NOT NULL;

-- not-null-of-triggered
ALTER TABLE profiles ALTER COLUMN changed_at DROP NOT NULL;
DROP TRIGGER touch ON profiles;

-- not-null-of-foreign-key
ALTER TABLE payments ALTER COLUMN order_id DROP NOT NULL;

-- not-null-of-enum
ALTER TABLE people ALTER COLUMN mood DROP NOT NULL;

-- primary-key
ALTER TABLE salaries DROP CONSTRAINT salaries_pkey;

-- check-range-wider
ALTER TABLE products DROP CONSTRAINT products_stock_check, ADD CHECK (stock BETWEEN 0 AND 1001);

-- check-range-below
ALTER TABLE products DROP CONSTRAINT products_stock_check, ADD CHECK (stock BETWEEN -1 AND 1000);

-- check-range-dropped
ALTER TABLE profiles DROP CONSTRAINT profiles_posts_check;

-- check-positive
ALTER TABLE products DROP CONSTRAINT products_price_check, ADD CHECK (price >= 0);

-- check-list-longer
ALTER TABLE products DROP CONSTRAINT products_kind_check, ADD CHECK (kind IN ('book', 'toy', 'food', 'game'));

-- check-list-dropped
ALTER TABLE products DROP CONSTRAINT products_kind_check;

-- check-pattern
ALTER TABLE products DROP CONSTRAINT products_sku_check, ADD CHECK (sku ~ '^[A-Z]{2,4}-[0-9]{0,3}$');

-- check-length
ALTER TABLE products DROP CONSTRAINT products_title_check, ADD CHECK (length(title) BETWEEN 1 AND 41);

-- check-length-below
ALTER TABLE products DROP CONSTRAINT products_title_check, ADD CHECK (length(title) <= 40);

-- check-two-columns
ALTER TABLE products DROP CONSTRAINT products_check;

-- check-two-columns-of-state
ALTER TABLE orders DROP CONSTRAINT orders_check, ADD CHECK (state <> 'paid' OR paid_at IS NOT NULL);

-- check-date
ALTER TABLE people DROP CONSTRAINT people_born_check;

-- varchar-longer
ALTER TABLE people ALTER COLUMN nickname TYPE varchar(13);

-- varchar-long
ALTER TABLE profiles ALTER COLUMN url TYPE varchar(300);

-- varchar-to-text
ALTER TABLE profiles ALTER COLUMN url TYPE text;

-- numeric-precision
ALTER TABLE products DROP COLUMN full_price, ALTER COLUMN price TYPE numeric(10, 2);

-- numeric-scale
ALTER TABLE products ALTER COLUMN weight TYPE numeric(5, 2);

-- enum-value
ALTER TYPE mood ADD VALUE 'asleep';

-- domain-check
ALTER DOMAIN rating DROP CONSTRAINT rating_check;
ALTER DOMAIN rating ADD CHECK (VALUE BETWEEN 0 AND 5);

-- domain-pattern
ALTER DOMAIN postcode DROP CONSTRAINT postcode_check;

-- foreign-key-dropped
ALTER TABLE orders DROP CONSTRAINT orders_person_id_fkey;

-- foreign-key-of-text
ALTER TABLE orders DROP CONSTRAINT orders_sku_fkey;

-- foreign-key-cascades
ALTER TABLE orders DROP CONSTRAINT orders_person_id_fkey, ADD FOREIGN KEY (person_id) REFERENCES people ON DELETE CASCADE;

-- foreign-key-restricts
ALTER TABLE payments DROP CONSTRAINT payments_order_id_fkey, ADD FOREIGN KEY (order_id) REFERENCES orders;

-- foreign-key-without-update
ALTER TABLE orders DROP CONSTRAINT orders_sku_fkey, ADD FOREIGN KEY (sku) REFERENCES products ON DELETE SET NULL;

-- unique-dropped
ALTER TABLE people DROP CONSTRAINT people_email_key;

-- unique-of-uuid
ALTER TABLE orders DROP CONSTRAINT orders_code_key;

-- unique-of-more-columns
ALTER TABLE payments DROP CONSTRAINT payments_method_number_key, ADD UNIQUE (method, number, order_id);

-- unique-of-fewer-columns
ALTER TABLE payments DROP CONSTRAINT payments_method_number_key, ADD UNIQUE (number);

-- unique-partial
ALTER TABLE people DROP CONSTRAINT people_email_key;
CREATE UNIQUE INDEX people_email_key ON people (email) WHERE mood = 'calm';

-- unique-of-expression
DROP INDEX rooms_name;
CREATE UNIQUE INDEX rooms_name ON rooms (name);

-- unique-of-lower-case
ALTER TABLE people DROP CONSTRAINT people_email_key;
CREATE UNIQUE INDEX people_email_key ON people (lower(email));

-- exclusion
ALTER TABLE bookings DROP CONSTRAINT bookings_int4range_during_excl;

-- check-empty-range
ALTER TABLE bookings DROP CONSTRAINT bookings_during_check;

-- generated
ALTER TABLE products ALTER COLUMN full_price DROP EXPRESSION;

-- default-changed
ALTER TABLE orders ALTER COLUMN amount SET DEFAULT 2;

-- default-dropped
ALTER TABLE profiles ALTER COLUMN language DROP DEFAULT;

-- default-of-nullable
ALTER TABLE profiles ALTER COLUMN banner SET DEFAULT 'plain';

-- serial-to-identity
ALTER TABLE profiles ALTER COLUMN id DROP DEFAULT;
ALTER TABLE profiles ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (START 100);

-- trigger-dropped
DROP TRIGGER keep_salary ON salaries;

-- trigger-of-update-only
DROP TRIGGER touch ON profiles;
CREATE TRIGGER touch BEFORE INSERT ON profiles FOR EACH ROW EXECUTE FUNCTION touch();

-- policy-loosened
ALTER POLICY own ON notes USING (true);

-- policy-without-check
ALTER POLICY own ON notes WITH CHECK (true);

-- policy-for-reading
ALTER POLICY all_open ON notes USING (true);

-- row-security-off
ALTER TABLE notes DISABLE ROW LEVEL SECURITY;

-- privilege-added
GRANT DELETE ON notes TO clerk;

-- privilege-revoked
REVOKE UPDATE ON notes FROM clerk;

-- privilege-of-column-added
GRANT SELECT (bonus) ON salaries TO clerk;

-- privilege-of-column-to-update
GRANT UPDATE (bonus) ON salaries TO auditor;

-- privilege-for-everyone
GRANT SELECT ON orders TO PUBLIC;

-- privilege-of-function-revoked
REVOKE EXECUTE ON FUNCTION raise_all FROM auditor;

-- privilege-of-function-added
GRANT EXECUTE ON FUNCTION raise_all TO PUBLIC;

-- function-not-strict
ALTER FUNCTION total CALLED ON NULL INPUT;

-- function-definer
ALTER FUNCTION average_salary SECURITY DEFINER;

-- function-stable
ALTER FUNCTION raise_all STABLE;

-- function-default
CREATE OR REPLACE FUNCTION raise_all(percent integer DEFAULT 20) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    changed bigint;
BEGIN
    UPDATE salaries SET amount = amount + amount * percent / 100;
    GET DIAGNOSTICS changed = ROW_COUNT;
    RETURN changed;
END
$$;

-- view-without-check-option
ALTER VIEW busy_people RESET (check_option);

-- view-as-its-caller
CREATE OR REPLACE VIEW busy_people WITH (security_invoker = true, check_option = cascaded) AS
    SELECT id, name, email, mood FROM people WHERE mood = 'busy';

-- data-changed
UPDATE orders SET state = 'new' WHERE state = 'open';

-- data-deleted
DELETE FROM payments WHERE number < 0;

-- data-added
INSERT INTO rooms VALUES (-7, 'attic');
