-- Finds the advisers that had a website under one of the domains at any time, and those whose forms ever named one of @crds.
-- Spelled backwards, a host below a domain sorts between the domain and the domain followed by a slash, the character after the full stop.
SELECT v.crd FROM unnest(@domains::text[]) AS d (host) JOIN catalog.adviser_versions v
	ON reverse(substring(v.website FROM '^[a-z]+://([^/:?#]+)')) COLLATE "C" >= d.host
	AND reverse(substring(v.website FROM '^[a-z]+://([^/:?#]+)')) COLLATE "C" < d.host || '/' AND v.website IS NOT NULL
UNION ALL
SELECT r.crd FROM unnest(@domains::text[]) AS d (host) JOIN catalog.replaced_versions r
	ON reverse(substring(r.said ->> 'website' FROM '^[a-z]+://([^/:?#]+)')) COLLATE "C" >= d.host
	AND reverse(substring(r.said ->> 'website' FROM '^[a-z]+://([^/:?#]+)')) COLLATE "C" < d.host || '/' AND r.fund_id = ''
UNION ALL
SELECT crd FROM catalog.ties WHERE affiliate_crd = ANY (@crds)
UNION ALL
SELECT r.crd FROM catalog.replaced_versions r WHERE r.fund_id = '' AND r.said -> 'affiliates' ?| @crds
