-- Subscribers of a newsletter. After three bounces in a row an address is suppressed: it gets no more mail.
-- Someone who subscribes again after leaving starts afresh. A suppressed address can be released by the staff.

CREATE TYPE subscriber_state AS ENUM ('pending', 'active', 'suppressed', 'left');

CREATE TABLE subscribers (
    email   text PRIMARY KEY CHECK (email = lower(email)),
    state   subscriber_state NOT NULL DEFAULT 'pending',
    topic   text NOT NULL,
    bounces integer NOT NULL DEFAULT 0
);

-- Returns whether a mail that asks for confirmation must be sent.
CREATE FUNCTION subscribe(address text, about text) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO subscribers (email, topic) VALUES (lower(address), about)
    ON CONFLICT (email) DO UPDATE SET state = 'pending', topic = EXCLUDED.topic
        WHERE subscribers.state = 'left';
    RETURN FOUND;
END $$;

CREATE FUNCTION confirm(address text) RETURNS void
LANGUAGE sql AS $$
    UPDATE subscribers SET state = 'active' WHERE email = lower(address) AND state = 'pending'
$$;

CREATE FUNCTION unsubscribe(address text) RETURNS void
LANGUAGE sql AS $$
    UPDATE subscribers SET state = 'left' WHERE email = lower(address) AND state <> 'suppressed'
$$;

CREATE FUNCTION bounced(address text) RETURNS subscriber_state
LANGUAGE sql AS $$
    UPDATE subscribers
       SET bounces = bounces + 1,
           state = CASE WHEN bounces + 1 >= 3 THEN 'suppressed' ELSE state END
     WHERE email = lower(address) AND state IN ('pending', 'active')
    RETURNING state
$$;

CREATE FUNCTION delivered(address text) RETURNS void
LANGUAGE sql AS $$
    UPDATE subscribers SET bounces = 0 WHERE email = lower(address) AND state = 'active'
$$;

CREATE FUNCTION release(address text) RETURNS void
LANGUAGE sql AS $$
    UPDATE subscribers SET state = 'active', bounces = 0 WHERE email = lower(address) AND state = 'suppressed'
$$;

CREATE VIEW mailing AS SELECT email, topic FROM subscribers WHERE state = 'active';
