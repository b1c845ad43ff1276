-- A suggestion that was accepted or rejected keeps its row for a day, so that undoing the decision brings back who made it.
alter table document_changes add column settled_at timestamptz(3);
