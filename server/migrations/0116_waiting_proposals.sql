-- Lists show how many proposals of a run wait for a decision.
create index agent_deeds_proposed on agent_deeds (project_id, run_id) where status = 'proposed';
