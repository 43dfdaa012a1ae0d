UPDATE orders SET person = NULL WHERE NOT EXISTS (SELECT FROM users WHERE users.id = orders.person);
ALTER TABLE orders VALIDATE CONSTRAINT placed_by;
