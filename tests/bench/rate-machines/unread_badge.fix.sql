CREATE OR REPLACE FUNCTION update_badge() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE users
       SET badge = least(10, (SELECT count(*) FROM notifications WHERE receiver = name AND NOT is_read))
     WHERE name = coalesce(NEW.receiver, OLD.receiver);
    RETURN NULL;
END $$;
