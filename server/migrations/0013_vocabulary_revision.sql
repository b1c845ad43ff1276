-- Moves on when something that is shown by name (a phase, a label, a person) is changed or gone. Whoever remembers such
-- names reads it in the statement that needs them. Something new needs no move: nobody can remember it yet.
create table vocabulary_revision (
  only_row boolean primary key default true check (only_row),
  revision integer not null
);
insert into vocabulary_revision (revision) values (1);

create function bump_vocabulary_revision() returns trigger language plpgsql as $$
begin
  update vocabulary_revision set revision = revision + 1;
  return null;
end $$;

create trigger phases_vocabulary after update or delete on phases
  for each statement execute function bump_vocabulary_revision();
create trigger labels_vocabulary after update or delete on labels
  for each statement execute function bump_vocabulary_revision();
create trigger users_vocabulary after delete or update of name, email on users
  for each statement execute function bump_vocabulary_revision();
