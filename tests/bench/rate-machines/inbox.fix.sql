-- Before all others, also before those that were preferred earlier.
CREATE OR REPLACE FUNCTION prefer(p_ticket integer) RETURNS void LANGUAGE sql AS $$
    UPDATE tickets SET place = (SELECT least(min(place), 1) - 1 FROM tickets) WHERE id = p_ticket
$$;
