-- The waiting list for allotment gardens: a free plot is offered to the one with the most points, then by ticket.
CREATE TABLE sites (
    id          integer PRIMARY KEY,
    name        text NOT NULL UNIQUE,
    next_ticket integer NOT NULL DEFAULT 1
);
INSERT INTO sites (id, name) VALUES (1, 'Mill Lane'), (2, 'Riverside');

CREATE TABLE applications (
    id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    site    integer NOT NULL REFERENCES sites,
    name    text NOT NULL,
    points  integer NOT NULL DEFAULT 0 CHECK (points BETWEEN 0 AND 10),
    ticket  integer NOT NULL,
    state   text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'offered', 'tenant', 'left'))
);

CREATE TABLE plots (
    id      integer PRIMARY KEY,
    site    integer NOT NULL REFERENCES sites,
    holder  bigint UNIQUE REFERENCES applications
);
INSERT INTO plots (id, site) VALUES (11, 1), (12, 1), (13, 1), (21, 2), (22, 2);

CREATE VIEW waiting_list AS
    SELECT id, site, name, points,
           row_number() OVER (PARTITION BY site ORDER BY points DESC, ticket, id) AS position
    FROM applications WHERE state = 'waiting';

-- The number of the next ticket of a site.
CREATE FUNCTION draw_ticket(p_site integer) RETURNS integer
LANGUAGE sql AS $$
    UPDATE sites SET next_ticket = next_ticket + 1 WHERE id = p_site RETURNING next_ticket - 1
$$;

CREATE FUNCTION apply(p_site integer, p_name text, p_points integer) RETURNS bigint
LANGUAGE sql AS $$
    INSERT INTO applications (site, name, points, ticket)
    VALUES (p_site, p_name, p_points, draw_ticket(p_site)) RETURNING id
$$;

-- Points for helping at a site.
CREATE FUNCTION add_points(p_application bigint, p_points integer) RETURNS void
LANGUAGE sql AS $$
    UPDATE applications SET points = least(points + p_points, 10)
    WHERE id = p_application AND state = 'waiting'
$$;

CREATE FUNCTION offer(p_plot integer) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    v_application bigint;
BEGIN
    SELECT w.id INTO v_application
    FROM plots p JOIN waiting_list w ON w.site = p.site AND w.position = 1
    WHERE p.id = p_plot AND p.holder IS NULL;
    IF v_application IS NULL THEN
        RETURN NULL;
    END IF;
    UPDATE applications SET state = 'offered' WHERE id = v_application;
    UPDATE plots SET holder = v_application WHERE id = p_plot;
    RETURN v_application;
END $$;

CREATE FUNCTION accept(p_application bigint) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE applications SET state = 'tenant' WHERE id = p_application AND state = 'offered';
    RETURN FOUND;
END $$;

-- Who declines keeps the points, but goes behind all others who have as many.
CREATE FUNCTION decline(p_application bigint) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE applications a
    SET state = 'waiting',
        ticket = (SELECT max(ticket) FROM applications b WHERE b.site = a.site)
    WHERE a.id = p_application AND a.state = 'offered';
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    UPDATE plots SET holder = NULL WHERE holder = p_application;
    RETURN true;
END $$;

CREATE FUNCTION leave(p_application bigint) RETURNS void
LANGUAGE sql AS $$
    UPDATE applications SET state = 'left' WHERE id = p_application;
    UPDATE plots SET holder = NULL WHERE holder = p_application;
$$;
