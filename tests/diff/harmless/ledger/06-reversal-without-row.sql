-- Rewrites reverse_transfer: it reads only the columns it needs. Harmless: it raises the same errors in the same order.

CREATE OR REPLACE FUNCTION reverse_transfer(transfer bigint, day date) RETURNS bigint
LANGUAGE plpgsql
AS $$
DECLARE
    payer     bigint;
    payee     bigint;
    paid      numeric;
    earliest  date;
BEGIN
    SELECT t.from_account, t.to_account, t.amount, t.booked_on INTO payer, payee, paid, earliest
      FROM transfers AS t WHERE t.id = reverse_transfer.transfer;
    IF NOT FOUND THEN
        RAISE no_data_found USING MESSAGE = format('there is no transfer %s', transfer);
    END IF;
    IF day < earliest THEN
        RAISE check_violation
            USING MESSAGE = format('transfer %s was booked on %s', transfer, earliest),
                  CONSTRAINT = 'reversed_later';
    END IF;
    RETURN transfer(sender => payee, receiver => payer, amount => paid, day => reverse_transfer.day,
                    reversed => reverse_transfer.transfer);
END
$$;
