-- When the lease of a claim began or was renewed, so that people see whether its holder is still there.
alter table work_order_claims add column renewed_at timestamptz(3);
update work_order_claims set renewed_at = claimed_at where claimed_at is not null;
