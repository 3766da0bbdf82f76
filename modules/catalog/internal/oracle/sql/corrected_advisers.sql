-- What operators correct of advisers.
CREATE TEMP TABLE n_correction ON COMMIT DROP AS
SELECT crd, field, value FROM catalog.overrides WHERE crd IS NOT NULL AND removed_at IS NULL AND valid_from <= $today$::date;
UPDATE n_adviser n SET legal_name = c.value FROM n_correction c WHERE c.crd = n.crd AND c.field = 'legal_name';
UPDATE n_adviser n SET website = c.value FROM n_correction c WHERE c.crd = n.crd AND c.field = 'website';
UPDATE n_adviser n SET primary_strategy = c.value, manager_type = CASE c.value $manager_types$ END
FROM n_correction c WHERE c.crd = n.crd AND c.field = 'primary_strategy';
UPDATE n_adviser n SET founded_year = c.value::int, founded_year_basis = 'override'
FROM n_correction c WHERE c.crd = n.crd AND c.field = 'founded_year';
