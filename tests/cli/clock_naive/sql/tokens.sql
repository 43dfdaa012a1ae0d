-- Tokens that hold for 50 minutes. A token that expires now is over.
CREATE TABLE tokens (
    id         integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    expires_at timestamptz NOT NULL DEFAULT now() + interval '50 minutes'
);

CREATE FUNCTION is_valid(token integer) RETURNS boolean
LANGUAGE sql
AS 'SELECT expires_at > now() FROM tokens WHERE id = token';
