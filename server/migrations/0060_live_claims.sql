-- The claims of a project that hold now are read for every open list; claims that ended stay as rows for their tokens.
create index work_order_claims_live on work_order_claims (project_id, expires_at) where expires_at is not null;
