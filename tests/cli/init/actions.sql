-- A key to which four tables refer, each with another action; most rows are referred to by several of them.
CREATE TABLE product (
    sku text PRIMARY KEY CHECK (sku ~ '^[A-Z]{2}-[0-9]{2}$'),
    title text NOT NULL
);
CREATE TABLE stock (
    sku text PRIMARY KEY REFERENCES product ON UPDATE RESTRICT ON DELETE CASCADE,
    amount int NOT NULL CHECK (amount >= 0)
);
CREATE TABLE price (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    sku text NOT NULL REFERENCES product ON UPDATE CASCADE ON DELETE CASCADE,
    since date NOT NULL,
    UNIQUE (sku, since)
);
CREATE TABLE review (
    id uuid PRIMARY KEY,
    sku text REFERENCES product ON UPDATE SET NULL ON DELETE SET NULL,
    stars int NOT NULL CHECK (stars BETWEEN 1 AND 5)
);
CREATE TABLE order_line (
    order_id int,
    line int,
    sku text NOT NULL REFERENCES product ON UPDATE NO ACTION ON DELETE NO ACTION,
    PRIMARY KEY (order_id, line)
);
