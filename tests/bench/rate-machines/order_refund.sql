-- Orders of a web shop, from the first line to the parcel that comes back.

CREATE TABLE orders (
    id       integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    state    text NOT NULL DEFAULT 'open'
             CHECK (state IN ('open', 'placed', 'paid', 'shipped', 'delivered', 'cancelled')),
    percent  integer NOT NULL DEFAULT 0 CHECK (percent BETWEEN 0 AND 100),   -- the coupon's discount
    paid     numeric(10,2) NOT NULL DEFAULT 0,
    refunded numeric(10,2) NOT NULL DEFAULT 0
);

CREATE TABLE order_lines (
    id       integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    order_id integer NOT NULL REFERENCES orders,
    price    numeric(10,2) NOT NULL CHECK (price > 0),
    quantity integer NOT NULL CHECK (quantity > 0),
    returned boolean NOT NULL DEFAULT false
);

-- Changes the state of the order; raises an error if its state is none of `before`.
CREATE FUNCTION move_order(the_order integer, before text[], after text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE orders SET state = after WHERE id = the_order AND state = ANY (before);
    IF NOT FOUND THEN
        RAISE EXCEPTION 'order % can''t become %', the_order, after;
    END IF;
END $$;

-- What one line costs after the coupon.
CREATE FUNCTION line_amount(line order_lines) RETURNS numeric
LANGUAGE sql STABLE AS $$
    SELECT round(line.price * line.quantity * (100 - percent) / 100, 2) FROM orders WHERE id = line.order_id
$$;

CREATE FUNCTION add_line(the_order integer, price numeric, quantity integer) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
    line integer;
BEGIN
    PERFORM move_order(the_order, '{open}', 'open');
    INSERT INTO order_lines (order_id, price, quantity) VALUES (the_order, price, quantity) RETURNING id INTO line;
    RETURN line;
END $$;

CREATE FUNCTION use_coupon(the_order integer, coupon integer) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM move_order(the_order, '{open}', 'open');
    UPDATE orders SET percent = coupon WHERE id = the_order;
END $$;

CREATE FUNCTION pay_order(the_order integer) RETURNS numeric
LANGUAGE plpgsql AS $$
DECLARE
    amount numeric;
BEGIN
    PERFORM move_order(the_order, '{placed}', 'paid');
    SELECT coalesce(sum(line_amount(line)), 0) INTO amount FROM order_lines AS line WHERE order_id = the_order;
    UPDATE orders SET paid = amount WHERE id = the_order;
    RETURN amount;
END $$;

CREATE FUNCTION cancel_order(the_order integer) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM move_order(the_order, '{open,placed,paid}', 'cancelled');
    UPDATE orders SET refunded = paid WHERE id = the_order;
END $$;

-- A delivered line is returned, and its price refunded.
CREATE FUNCTION return_line(the_line integer) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    line order_lines;
BEGIN
    UPDATE order_lines SET returned = true WHERE id = the_line AND NOT returned RETURNING * INTO line;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'line % was returned already', the_line;
    END IF;
    PERFORM move_order(line.order_id, '{delivered}', 'delivered');
    UPDATE orders SET refunded = refunded + line.price * line.quantity WHERE id = line.order_id;
END $$;
