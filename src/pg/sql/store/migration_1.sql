-- The tables of a store. No function, trigger, default or constraint of them calls anything but what is in pg_catalog.
-- There are no sequences: a machine under test may reset those of its database.

CREATE SCHEMA IF NOT EXISTS pgfsm;
COMMENT ON SCHEMA pgfsm IS 'stand-in';  -- so `pgfsm init` leaves it out

-- One row for each migration that ran.
CREATE TABLE pgfsm.version (
    version integer PRIMARY KEY,
    made    timestamptz NOT NULL DEFAULT pg_catalog.now()
);

-- A failure. While `lease` lies ahead, `holder` shrinks it, and nobody else. Whoever takes the lease over raises the
-- epoch, by which the one before finds out that it is late.
CREATE TABLE pgfsm.failure (
    id       bytea PRIMARY KEY,         -- SHA-256 of machine and identity
    machine  text NOT NULL,
    identity text NOT NULL,
    name     text NOT NULL,             -- in commands
    trace    text NOT NULL,             -- as in a file of the example database
    shrunk   boolean NOT NULL,
    found    timestamptz NOT NULL,
    seen     timestamptz NOT NULL,      -- for the last time
    times    bigint NOT NULL,           -- that a run found it
    shrinks  bigint NOT NULL,           -- that somebody began to shrink it
    holder   text,
    epoch    bigint NOT NULL,
    lease    timestamptz
);
CREATE INDEX failure_of_machine ON pgfsm.failure (machine, seen DESC);
CREATE INDEX failure_in_order ON pgfsm.failure (machine, found DESC, id);
CREATE INDEX failure_by_name ON pgfsm.failure (name);

-- A run that several processes share.
CREATE TABLE pgfsm.run (
    id       bytea PRIMARY KEY,         -- SHA-256 of all that decides what its examples do
    name     text NOT NULL,             -- id of the pipeline
    machine  text NOT NULL,
    examples bigint NOT NULL,
    size     bigint NOT NULL,           -- examples of a chunk
    stop     bigint NOT NULL,           -- last example that is worth running, as earlier ones failed
    begun    timestamptz NOT NULL
);

-- Examples number `first` to `last`, or mutants. The lease is as in `failure`. With `done`, their records are final.
CREATE TABLE pgfsm.chunk (
    run     bytea NOT NULL REFERENCES pgfsm.run ON DELETE CASCADE,
    first   bigint NOT NULL,
    last    bigint NOT NULL,
    holder  text,
    epoch   bigint NOT NULL,
    lease   timestamptz,
    done    timestamptz,
    records text,                       -- a line for each number
    PRIMARY KEY (run, first)
);
CREATE INDEX chunk_to_do ON pgfsm.chunk (run, first) WHERE done IS NULL;

INSERT INTO pgfsm.version (version) VALUES (1);
