-- New texts wait in a list, and the writer who fills it moves all of it into the index. With 4 MB, the default, that writer
-- and everyone who waits for the project's numbers behind it waited up to 200 ms; with 1 MB 90 ms, for the same work.
alter index work_orders_text set (gin_pending_list_limit = 1024);
