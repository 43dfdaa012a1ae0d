-- Planted in or_set.sql: where both have a tag the second one's word counts, instead of the removal.
-- Merging is associative and idempotent still, and commutes no more: what was removed comes back from a
-- replica that has not heard of it.
--
-- shortest: 4
--   add(replica=replicas_1, element="milk")
--   sent_1 = send(sender=replicas_1)
--   remove(replica=replicas_1, element="milk")
--   receive(receiver=replicas_1, message=sent_1)
-- Seen by the invariant `elements`: the replica's own old message brings the element back.

CREATE OR REPLACE FUNCTION or_set_merge(a jsonb, b jsonb) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE
AS $$
BEGIN
    RETURN a || b;
END
$$;
