SELECT n.chain FROM catalog.replaced_offerings r JOIN catalog.offerings n
	ON n.accession IN (r.accession, r.previous_accession) OR n.file_number = r.file_number WHERE r.relinked
