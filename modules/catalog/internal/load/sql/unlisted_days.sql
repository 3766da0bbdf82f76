-- Since when affected advisers are in no list any more.
SELECT crd, not_listed_since FROM n_unlisted
