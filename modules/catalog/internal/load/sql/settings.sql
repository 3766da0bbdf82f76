-- For the transaction of a load. It may take as long as it takes.
SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0;
SET LOCAL jit = off; SET LOCAL default_statistics_target = 10; SET LOCAL random_page_cost = 1.1;
SET LOCAL work_mem = $work_mem$
