CREATE OR REPLACE FUNCTION held(p_lease bigint) RETURNS bigint
LANGUAGE sql STABLE AS $$
    SELECT d.id FROM leases l JOIN deliveries d ON d.id = l.delivery
    WHERE l.id = p_lease
      AND d.state = 'leased' AND d.expires_at > clock_now()
      AND l.id = (SELECT max(id) FROM leases WHERE delivery = d.id)
$$;
