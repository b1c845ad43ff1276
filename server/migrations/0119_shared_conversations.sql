-- `is_shared`: every member of the project may read it. `asks_first`: its agent only proposes what it would change.
-- `queued`: messages that are sent when the agent has answered, as [{id, text}].
-- `branch_of` is the conversation that a branch began in, and `branch_number` the event that it replaced.
alter table conversations
  add column is_shared boolean not null default false,
  add column asks_first boolean not null default false,
  add column queued jsonb not null default '[]',
  add column input_tokens bigint not null default 0,
  add column output_tokens bigint not null default 0,
  -- Null until a model with a price was used.
  add column cost float8,
  add column branch_of uuid,
  add column branch_number integer;
create index conversations_of_project on conversations (project_id, updated_at desc, id desc) where origin <> 'subagent';
create index conversations_children on conversations (project_id, parent_id) where parent_id is not null;
create index conversations_branches on conversations (project_id, branch_of) where branch_of is not null;
