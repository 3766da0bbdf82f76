INSERT INTO analytics.regulatory_answers AS a (crd, provider, edition, answer, checked_at)
VALUES (@crd, @provider, @edition, @answer::jsonb, @at)
ON CONFLICT (crd, provider) DO UPDATE SET edition = excluded.edition, answer = excluded.answer, checked_at = excluded.checked_at
WHERE a.checked_at <= excluded.checked_at
