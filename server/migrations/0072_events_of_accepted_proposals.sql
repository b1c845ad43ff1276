-- What a person accepted is the person's deed, and names the run that proposed it.
create index events_proposed_by_run on events (project_id, (payload->>'proposed_by_run')) where payload ? 'proposed_by_run';
