-- A pass has 24 hours, even if the day has 23 or 25.
ALTER TABLE passes ALTER until SET DEFAULT now() + interval '24 hours';
