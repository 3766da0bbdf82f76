-- Writes the organizations that advisers belong to now, and notes the advisers that this changes.
ANALYZE d_canonical;
UPDATE catalog.advisers a SET canonical_gp_id = d.id, updated_at = now() FROM d_canonical d WHERE a.crd = d.crd;
INSERT INTO c_adviser SELECT crd, 'changed' FROM d_canonical d WHERE NOT EXISTS (SELECT 1 FROM c_adviser c WHERE c.crd = d.crd)
