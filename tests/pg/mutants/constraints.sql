CREATE DOMAIN code AS text NOT NULL CONSTRAINT short CHECK (length(VALUE) < 4);

-- Referred to, by what is not drawn.
CREATE TABLE hubs (id integer PRIMARY KEY, name text CONSTRAINT named CHECK (name <> ''));
CREATE TABLE drawn (id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, code code);

CREATE SCHEMA "Odd";
CREATE TABLE "Odd"."the table" (
    "a ""b" integer,
    c       integer,
    d       integer UNIQUE,
    hub     integer REFERENCES hubs ON DELETE CASCADE,
    PRIMARY KEY ("a ""b", c),
    CONSTRAINT again UNIQUE (c, "a ""b")
);

CREATE TABLE routes (
    id       integer GENERATED ALWAYS AS IDENTITY,
    hub      integer CONSTRAINT of_hub REFERENCES hubs,
    must     integer NOT NULL CONSTRAINT of_drawn REFERENCES drawn ON DELETE CASCADE,
    kept     integer CONSTRAINT kept REFERENCES drawn ON DELETE RESTRICT ON UPDATE CASCADE,
    other    integer CONSTRAINT other REFERENCES drawn ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED,
    ordinal  integer CONSTRAINT ordinal UNIQUE DEFERRABLE,
    period   daterange,
    span     int4range,
    CONSTRAINT apart EXCLUDE USING gist (period WITH &&, span WITH &&) WHERE (hub IS NOT NULL)
);

CREATE TABLE parts (id integer, region text NOT NULL, n integer CONSTRAINT n CHECK (n > 0), PRIMARY KEY (id, region))
    PARTITION BY LIST (region);
CREATE TABLE parts_north PARTITION OF parts FOR VALUES IN ('north');
CREATE TABLE cells (x smallint, y smallint, z smallint NOT NULL, PRIMARY KEY (x, y));
CREATE TABLE rooms (tenant integer NOT NULL, id bigint PRIMARY KEY, CONSTRAINT of_tenant UNIQUE (tenant, id));
CREATE TABLE guests (
    tenant integer NOT NULL,
    room   bigint,
    wing   bigint,
    CONSTRAINT in_room FOREIGN KEY (tenant, room) REFERENCES rooms (tenant, id) ON DELETE CASCADE,
    CONSTRAINT in_wing FOREIGN KEY (tenant, wing) REFERENCES rooms (tenant, id) MATCH FULL
);
CREATE TABLE children (m integer NOT NULL) INHERITS (hubs);

SELECT current_setting('server_version_num')::integer >= 150000 AS since_15,
       current_setting('server_version_num')::integer >= 180000 AS since_18 \gset
\if :since_15
CREATE TABLE pairs (c integer, d integer, UNIQUE (c, d));
CREATE TABLE loads (
    a integer,
    b integer,
    c integer,
    UNIQUE NULLS NOT DISTINCT (a, b) INCLUDE (c),
    CONSTRAINT known FOREIGN KEY (a, b) REFERENCES pairs (c, d) ON DELETE SET NULL (b) ON UPDATE CASCADE
);
\endif
\if :since_18
CREATE TABLE stays (
    a      int4range,
    b      int4range,
    during daterange,
    hub    integer CONSTRAINT dormant REFERENCES hubs NOT ENFORCED,
    CONSTRAINT alone UNIQUE (a, during WITHOUT OVERLAPS),
    CONSTRAINT three UNIQUE (a, b, during WITHOUT OVERLAPS)
);
\endif
