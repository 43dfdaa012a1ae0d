-- Planted in or_set.sql: merging removes elements instead of tags. It is commutative, but an element that was
-- removed once can't be added again.
--
-- shortest: 3
--   add(replica=replicas_1, element="milk")
--   remove(replica=replicas_1, element="milk")
--   add(replica=replicas_1, element="milk")
-- Seen by the invariant `idempotent`: merging a replica's state with itself removes the element.

CREATE OR REPLACE FUNCTION or_set_merge(a jsonb, b jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE
AS $$
    WITH tags AS (SELECT * FROM jsonb_each(a) UNION ALL SELECT * FROM jsonb_each(b)),
         gone AS (SELECT value -> 'element' AS element FROM tags WHERE (value ->> 'removed')::boolean)
    SELECT coalesce(jsonb_object_agg(key, jsonb_build_object(
               'element', value -> 'element',
               'removed', value -> 'element' IN (SELECT element FROM gone))), '{}')
      FROM tags
$$;
