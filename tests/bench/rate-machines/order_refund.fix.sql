CREATE OR REPLACE FUNCTION return_line(the_line integer) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    line order_lines;
BEGIN
    UPDATE order_lines SET returned = true WHERE id = the_line AND NOT returned RETURNING * INTO line;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'line % was returned already', the_line;
    END IF;
    PERFORM move_order(line.order_id, '{delivered}', 'delivered');
    UPDATE orders SET refunded = refunded + line_amount(line) WHERE id = line.order_id;
END $$;
