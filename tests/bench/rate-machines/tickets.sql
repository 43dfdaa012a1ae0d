-- Support tickets: customers open them, leads assign them, agents see their own.
DO $$
DECLARE r text;
BEGIN
    FOREACH r IN ARRAY ARRAY['desk_customer', 'desk_agent', 'desk_lead'] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = r) THEN
            EXECUTE format('CREATE ROLE %I NOLOGIN', r);
        END IF;
        EXECUTE format('GRANT %I TO CURRENT_USER', r);
    END LOOP;
END $$;

CREATE TYPE ticket_state AS ENUM ('new', 'solved', 'reopened');

CREATE TABLE ticket (
    id       uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    customer text NOT NULL,
    subject  text NOT NULL,
    state    ticket_state NOT NULL DEFAULT 'new',
    assignee text,
    previous text                             -- who had solved it before it was reopened
);
CREATE TABLE note (
    ticket_id uuid NOT NULL REFERENCES ticket ON DELETE CASCADE,
    author    text NOT NULL,
    body      text
);

CREATE FUNCTION me() RETURNS text STABLE LANGUAGE sql AS $$
    SELECT current_setting('request.jwt.claims', true)::jsonb ->> 'sub'
$$;

-- A reopened ticket goes back to the pool; who had solved it can read it until someone has it.
CREATE FUNCTION on_state() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.state = 'reopened' THEN
        NEW.previous := OLD.assignee;
        NEW.assignee := NULL;
    ELSE
        NEW.previous := NULL;
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER on_state BEFORE UPDATE OF state ON ticket
    FOR EACH ROW WHEN (OLD.state <> NEW.state) EXECUTE FUNCTION on_state();

-- An agent takes a ticket from the pool.
CREATE FUNCTION take(which uuid) RETURNS boolean SECURITY DEFINER LANGUAGE plpgsql AS $$
BEGIN
    UPDATE ticket SET assignee = me() WHERE id = which AND assignee IS NULL AND state <> 'solved';
    RETURN FOUND;
END $$;

ALTER TABLE ticket ENABLE ROW LEVEL SECURITY;
ALTER TABLE note ENABLE ROW LEVEL SECURITY;
GRANT SELECT, INSERT (customer, subject), UPDATE (state, subject) ON ticket TO desk_customer;
GRANT SELECT, UPDATE (state) ON ticket TO desk_agent;
GRANT SELECT, DELETE, UPDATE (assignee) ON ticket TO desk_lead;
GRANT SELECT, INSERT ON note TO desk_agent, desk_lead;

CREATE POLICY own ON ticket TO desk_customer USING (customer = me());
CREATE POLICY every ON ticket TO desk_lead USING (true);
CREATE POLICY reads ON ticket FOR SELECT TO desk_agent USING (assignee = me() OR previous = me());
CREATE POLICY works ON ticket FOR UPDATE TO desk_agent USING (assignee = me());
CREATE POLICY every ON note TO desk_lead USING (true);
CREATE POLICY reads ON note TO desk_agent USING (EXISTS (SELECT FROM ticket WHERE id = ticket_id))
    WITH CHECK (author = me() AND EXISTS (SELECT FROM ticket WHERE id = ticket_id));
