-- ripgrep searches documents in files that each node writes for itself (see server/src/engines/search). It needs nothing
-- from these.
drop table document_search;
alter table documents drop column content_tag;
