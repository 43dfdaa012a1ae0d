-- The token still holds at the moment at which it expires.
CREATE OR REPLACE FUNCTION is_valid(token integer) RETURNS boolean
LANGUAGE sql
AS 'SELECT expires_at >= now() FROM tokens WHERE id = token';
