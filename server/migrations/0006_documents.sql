-- The forests that documents stand in: the two types of requirements, the categories of blueprints.
create table document_trees (
  project_id uuid not null references projects on delete cascade,
  id uuid not null,
  kind text not null,
  name text not null,
  locked boolean not null,
  position integer not null,
  primary key (project_id, id)
);
create unique index document_trees_name on document_trees (project_id, kind, lower(name));

-- Documents of every kind: markdown as the client sent it, in ordered trees.
create table documents (
  project_id uuid not null references projects on delete cascade,
  id uuid not null,
  kind text not null,
  tree_id uuid not null,
  parent_id uuid,
  position integer not null,
  paired_with uuid,
  title text not null,
  markdown_content text not null,
  version_id uuid not null,
  version_number integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (project_id, id),
  foreign key (project_id, id) references resources,
  foreign key (project_id, tree_id) references document_trees,
  foreign key (project_id, parent_id) references documents
);
create index documents_kind on documents (project_id, kind, id);
create index documents_siblings on documents (project_id, tree_id, parent_id, position);
create index documents_children on documents (project_id, parent_id, position) where parent_id is not null;
create unique index documents_pair on documents (project_id, paired_with) where paired_with is not null;

-- Append-only.
create table document_versions (
  project_id uuid not null,
  document_id uuid not null,
  id uuid not null,
  version_number integer not null,
  version_name text,
  markdown_content text not null,
  origin_type text not null,
  origin_name text not null,
  user_id uuid references users on delete set null,
  created_at timestamptz(3) not null,
  primary key (project_id, document_id, version_number),
  unique (project_id, id),
  foreign key (project_id, document_id) references documents on delete cascade
);

-- Who made which pending change; the change itself stands in the markdown, in the order of `position`.
create table document_changes (
  project_id uuid not null,
  document_id uuid not null,
  id uuid not null,
  position integer not null,
  kind text not null check (kind in ('insertion', 'deletion')),
  text text not null,
  user_id uuid references users on delete set null,
  created_by_name text not null,
  created_at timestamptz(3) not null,
  primary key (project_id, id),
  foreign key (project_id, document_id) references documents on delete cascade
);
create index document_changes_document on document_changes (project_id, document_id, position);

create table document_threads (
  project_id uuid not null,
  id uuid not null,
  document_id uuid not null,
  is_resolved boolean not null default false,
  is_flagged boolean not null default false,
  created_at timestamptz(3) not null,
  primary key (project_id, id),
  foreign key (project_id, document_id) references documents on delete cascade
);
create index document_threads_document on document_threads (project_id, document_id, id);

create table document_messages (
  project_id uuid not null,
  id uuid not null,
  thread_id uuid not null,
  message text not null,
  user_id uuid references users on delete set null,
  created_by_name text not null,
  created_at timestamptz(3) not null,
  primary key (project_id, id),
  foreign key (project_id, thread_id) references document_threads on delete cascade
);
create index document_messages_thread on document_messages (project_id, thread_id, id);

-- Projects that are older than documents get what a new project gets.
do $$
declare
  project record;
  tree record;
  overview text;
  document uuid;
  version uuid;
  place integer;
begin
  for project in select id from projects loop
    insert into document_trees (project_id, id, kind, name, locked, position)
    select project.id, gen_random_uuid(), t.kind, t.name, t.name = 'Feature Blueprints', t.position
    from (values ('requirements_document', 'FEATURE', 0), ('requirements_document', 'OVERVIEW', 1),
      ('blueprint', 'Containers', 0), ('blueprint', 'Components', 1), ('blueprint', 'Feature Blueprints', 2),
      ('blueprint', 'Custom', 3)) as t (kind, name, position);
    select id into tree from document_trees where project_id = project.id and name = 'OVERVIEW';
    place := 0;
    foreach overview in array array['Business Problem', 'Current State', 'Product Description', 'Personas',
      'Success Metrics', 'Technical Requirements'] loop
      -- A UUIDv7, whose counter keeps the order.
      document := (lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(place), 3, '0')
        || '8' || substr(md5(random()::text), 1, 15))::uuid;
      version := gen_random_uuid();
      insert into resources (project_id, id, resource_type) values (project.id, document, 'requirements_document');
      insert into documents (project_id, id, kind, tree_id, position, title, markdown_content, version_id,
        version_number, created_at, updated_at)
      values (project.id, document, 'requirements_document', tree.id, place, overview, '', version, 1, now(), now());
      insert into document_versions (project_id, document_id, id, version_number, markdown_content, origin_type,
        origin_name, created_at)
      values (project.id, document, version, 1, '', 'system', 'Slipway', now());
      place := place + 1;
    end loop;
    insert into counters (project_id, name, live) values (project.id, 'requirements_document', place);
  end loop;
end $$;
