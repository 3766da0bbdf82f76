INSERT INTO catalog.adviser_histories AS h SELECT * FROM d_history
ON CONFLICT (crd) DO UPDATE SET
    encoding = excluded.encoding, states = excluded.states, funds = excluded.funds, sources = excluded.sources, fund_sources = excluded.fund_sources
WHERE (h.encoding, h.states, h.funds, h.sources, h.fund_sources)
    IS DISTINCT FROM (excluded.encoding, excluded.states, excluded.funds, excluded.sources, excluded.fund_sources);
