CREATE OR REPLACE FUNCTION subscribe(address text, about text) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO subscribers (email, topic) VALUES (lower(address), about)
    ON CONFLICT (email) DO UPDATE SET state = 'pending', topic = EXCLUDED.topic, bounces = 0
        WHERE subscribers.state = 'left';
    RETURN FOUND;
END $$;
