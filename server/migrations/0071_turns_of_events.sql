-- Which conversation a turn belonged to, for the chain of causes of what its agent did.
create index conversation_events_turn on conversation_events (project_id, turn_id);
