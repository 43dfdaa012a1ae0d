-- Planted in or_set.sql: where both have a tag the second one's word counts, instead of the removal.
-- Merging is associative and idempotent still, and commutes no more: what was removed comes back from a
-- replica that has not heard of it.
--
-- shortest: 3
--   add(replica=replicas_1, element="milk")
--   send(sender=replicas_1, receiver=replicas_2)
--   remove(replica=replicas_1, element="milk")
-- Seen by the invariant `commutative`.

CREATE OR REPLACE FUNCTION or_set_merge(a jsonb, b jsonb) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE
AS $$
BEGIN
    RETURN a || b;
END
$$;
