-- Planted in or_set.sql: if both sides have a tag, the second side decides whether it is removed. Merging is
-- still associative and idempotent, but no longer commutative. A replica that has not seen a removal brings the
-- element back.
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
