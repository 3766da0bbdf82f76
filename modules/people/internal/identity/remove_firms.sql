DELETE FROM people.firms f WHERE f.crd = ANY (@crds) AND NOT EXISTS (SELECT FROM r_firm r WHERE r.crd = f.crd)
