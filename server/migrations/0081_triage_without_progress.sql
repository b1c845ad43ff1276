-- Themes are reviewed a fixed time after the first item that was sorted since, so nothing has to be counted.
drop table triage_progress;
