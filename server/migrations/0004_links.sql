-- Everything that can be connected has a row here, written with it and deleted with it, so that a link can never
-- outlive its ends and a kind can be told from an id.
create table resources (
  project_id uuid not null references projects on delete cascade,
  id uuid not null,
  resource_type text not null,
  primary key (project_id, id)
);

-- Each link is two rows, one for each direction.
create table context_links (
  project_id uuid not null,
  from_id uuid not null,
  to_id uuid not null,
  to_type text not null,
  position bigint generated always as identity,
  primary key (project_id, from_id, to_id),
  foreign key (project_id, from_id) references resources on delete cascade,
  foreign key (project_id, to_id) references resources on delete cascade
);
create index context_links_to on context_links (project_id, to_id);
