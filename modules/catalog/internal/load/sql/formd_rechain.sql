UPDATE catalog.offerings o SET chain = d.chain FROM d_chain d WHERE o.accession = d.accession AND o.chain <> d.chain;
