-- How often the running turn was taken up after the server that ran it had stopped.
alter table conversations add column turn_taken_up smallint not null default 0;
