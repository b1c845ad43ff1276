-- PostgreSQL would try the words of every search on a hundred sampled texts, to estimate how common they are. That takes
-- longer than the search, which does not depend on the estimate (see server/src/work-orders/search-queries.ts).
alter table work_orders alter column search_text set statistics 0;
