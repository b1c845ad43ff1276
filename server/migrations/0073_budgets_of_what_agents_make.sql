-- The automations whose agents made or changed it, as long as no person has taken it over. Its usage counts toward their
-- budgets, or an agent with a budget could have the work done by another without one.
alter table automations add column payer_ids uuid[] not null default '{}';

-- Whose budgets it counts toward besides that of `automation_id`.
alter table model_usage add column payer_ids uuid[] not null default '{}',
  drop constraint model_usage_pkey,
  add primary key (project_id, day, automation_id, model, payer_ids);
