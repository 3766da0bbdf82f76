-- Registered GPs that report their AUM and have funds.
SELECT count(*) FROM catalog.pub_gp WHERE registration_status = 'registered' AND withdrawn_on IS NULL AND total_aum > 0 AND fund_count > 0
