-- A set that several replicas change independently: an observed-remove set, one of the conflict-free
-- replicated data types (CRDTs). Every addition gets a unique tag. Removing an element removes the tags that
-- the replica has seen. If another replica adds the element at the same time, that tag is new, so the element
-- stays: an addition wins over a removal that has not seen it. Replicas send each other their whole state.
-- Messages may come late, twice, or in another order, so merging must be commutative, associative and
-- idempotent.
--
-- The state is an object from tags to {"element": …, "removed": …}.

CREATE TABLE replicas (
    id        integer PRIMARY KEY,
    additions integer NOT NULL DEFAULT 0,            -- by this replica; numbers its tags
    state     jsonb NOT NULL DEFAULT '{}'
);

CREATE TABLE messages (                              -- the sender's state when it sent the message
    id    bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    state jsonb NOT NULL
);

CREATE FUNCTION or_set_elements(state jsonb) RETURNS SETOF text
LANGUAGE sql IMMUTABLE
AS $$
    SELECT DISTINCT value ->> 'element' FROM jsonb_each(state) WHERE NOT (value ->> 'removed')::boolean
$$;

-- All tags of both sides. A tag is removed if either side has removed it. (The language is PL/pgSQL because it
-- keeps the query's plan from call to call.)
CREATE FUNCTION or_set_merge(a jsonb, b jsonb) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE
AS $$
DECLARE
    removed_by_a jsonb;
BEGIN
    SELECT jsonb_object_agg(key, value) INTO removed_by_a
      FROM jsonb_each(a) WHERE (value ->> 'removed')::boolean;
    RETURN a || b || coalesce(removed_by_a, '{}');
END
$$;

CREATE FUNCTION add_element(replica integer, element text) RETURNS void
LANGUAGE sql
AS $$
    UPDATE replicas
       SET additions = additions + 1,
           state = state || jsonb_build_object(
               id || ':' || additions + 1, jsonb_build_object('element', element, 'removed', false))
     WHERE id = replica
$$;

CREATE FUNCTION remove_element(replica integer, element text) RETURNS void
LANGUAGE sql
AS $$
    UPDATE replicas
       SET state = (SELECT coalesce(jsonb_object_agg(key,
                               CASE WHEN value ->> 'element' = element
                                    THEN value || '{"removed": true}' ELSE value END), '{}')
                      FROM jsonb_each(state))
     WHERE id = replica
$$;

-- Returns the message's id.
CREATE FUNCTION send_state(sender integer) RETURNS bigint
LANGUAGE sql
AS $$
    INSERT INTO messages (state) SELECT state FROM replicas WHERE id = sender RETURNING id
$$;

CREATE FUNCTION receive_state(receiver integer, message bigint) RETURNS void
LANGUAGE sql
AS $$
    UPDATE replicas
       SET state = or_set_merge(state, (SELECT state FROM messages WHERE id = message))
     WHERE id = receiver
$$;
