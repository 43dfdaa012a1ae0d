CREATE OR REPLACE FUNCTION close_call(p_call integer) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM require_phase(p_call, 'review');
    UPDATE proposals p
       SET score = (SELECT round(avg(r.points), 2)
                      FROM reviews r
                      JOIN assignments a USING (proposal_id, reviewer)
                     WHERE r.proposal_id = p.id AND NOT a.recused)
     WHERE p.call_id = p_call AND NOT p.withdrawn;
    UPDATE calls SET phase = 'closed' WHERE id = p_call;
END $$;
