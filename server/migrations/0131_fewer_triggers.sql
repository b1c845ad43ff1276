-- Keys are read again within a second, and the names of phases, labels and people are joined. Nothing needs to be told of
-- their changes any more.
drop trigger api_keys_access on api_keys;
drop trigger project_members_access on project_members;
drop trigger organization_members_access on organization_members;
drop trigger users_access on users;
drop function bump_access_revision();
drop table access_revision;
drop trigger phases_vocabulary on phases;
drop trigger labels_vocabulary on labels;
drop trigger users_vocabulary on users;
drop function bump_vocabulary_revision();
drop table vocabulary_revision;

-- The work orders of a theme are counted when it is read.
drop trigger context_links_inserted on context_links;
drop trigger context_links_deleted on context_links;
drop function count_theme_work_orders();
alter table themes drop column linked_work_order_count;

-- Built-in automations are handed over by a subscriber of the events of members.
drop trigger project_members_built_in_automations on project_members;
drop function hand_over_built_in_automations();
