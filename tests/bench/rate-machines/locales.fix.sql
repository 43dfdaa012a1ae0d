CREATE OR REPLACE FUNCTION source_changed() RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE translations SET status = 'draft' WHERE status = 'review';
    UPDATE translations SET outdated = true WHERE status IN ('approved', 'live', 'hidden');
END $$;
