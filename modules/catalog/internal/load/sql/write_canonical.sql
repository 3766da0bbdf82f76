-- Writes the organizations that advisers belong to now, and notes the advisers that this changes.
ANALYZE d_canonical;
INSERT INTO b_before_adviser SELECT a.* FROM catalog.advisers a JOIN d_canonical d USING (crd) WHERE NOT EXISTS (SELECT 1 FROM b_before_adviser b WHERE b.crd = a.crd);
UPDATE catalog.advisers a SET canonical_gp_id = d.id, updated_at = now() FROM d_canonical d WHERE a.crd = d.crd;
INSERT INTO c_adviser SELECT crd, 'changed' FROM d_canonical d WHERE NOT EXISTS (SELECT 1 FROM c_adviser c WHERE c.crd = d.crd)
