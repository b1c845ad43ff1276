import { type Db, json, type Tx } from '../../kernel/database/index.ts'
import type { WorkOrderStatus } from '../work-orders/index.ts'
import type { Code, CodeHost, CodeHostKind } from './code-host.ts'

const columns = (db: Db) => db`id, kind, name, reviews_opened as "reviewsOpened", completes_merged as "completesMerged",
  created_at as "createdAt", last_received_at as "lastReceivedAt"`

export const listCodeHosts = (db: Db, projectId: string) => db<CodeHost[]>`
  select ${columns(db)} from code_hosts where project_id = ${projectId} order by created_at, id`

export async function lockCodeHost(db: Tx, projectId: string, id: string): Promise<CodeHost | undefined> {
  const [row] = await db<CodeHost[]>`
    select ${columns(db)} from code_hosts where project_id = ${projectId} and id = ${id} for update`
  return row
}

export interface Receiver extends CodeHost {
  projectId: string
  organizationId: string
  sealedSecret: string
}

/** Whoever sends something knows only the id. */
export async function findReceiver(db: Db, kind: CodeHostKind, id: string): Promise<Receiver | undefined> {
  const [row] = await db<Receiver[]>`
    select h.id, h.kind, h.name, h.reviews_opened as "reviewsOpened", h.completes_merged as "completesMerged",
      h.created_at as "createdAt", h.last_received_at as "lastReceivedAt", h.project_id as "projectId",
      p.organization_id as "organizationId", h.sealed_secret as "sealedSecret"
    from code_hosts h join projects p on p.id = h.project_id
    where h.id = ${id} and h.kind = ${kind} and p.deleted_at is null`
  return row
}

export interface NewCodeHost {
  id: string
  kind: CodeHostKind
  name: string
  sealedSecret: string
  reviewsOpened: boolean
  completesMerged: boolean
  createdBy: string | null
}

export async function insertCodeHost(db: Tx, projectId: string, host: NewCodeHost): Promise<CodeHost> {
  const { id, kind, name, sealedSecret, reviewsOpened, completesMerged, createdBy } = host
  const [row] = await db<CodeHost[]>`
    insert into code_hosts (project_id, id, kind, name, sealed_secret, reviews_opened, completes_merged, created_by)
    values (${projectId}, ${id}, ${kind}, ${name}, ${sealedSecret}, ${reviewsOpened}, ${completesMerged}, ${createdBy})
    returning ${columns(db)}`
  return row!
}

export interface CodeHostValues {
  name: string
  reviewsOpened: boolean
  completesMerged: boolean
  /** Undefined keeps the secret. */
  sealedSecret: string | undefined
}

export async function updateCodeHost(db: Tx, projectId: string, id: string, values: CodeHostValues): Promise<CodeHost> {
  const { name, reviewsOpened, completesMerged, sealedSecret } = values
  const [row] = await db<CodeHost[]>`
    update code_hosts set name = ${name}, reviews_opened = ${reviewsOpened}, completes_merged = ${completesMerged},
      sealed_secret = coalesce(${sealedSecret ?? null}, sealed_secret)
    where project_id = ${projectId} and id = ${id} returning ${columns(db)}`
  return row!
}

export const deleteCodeHost = (db: Tx, projectId: string, id: string) => db`
  delete from code_hosts where project_id = ${projectId} and id = ${id}`

/** False if it was received before. A delivery that is under way on another node is waited for. */
export async function insertReceipt(db: Tx, host: Receiver, deliveryId: string): Promise<boolean> {
  const { projectId, id } = host
  const inserted = await db`
    insert into code_host_receipts (project_id, code_host_id, delivery_id) values (${projectId}, ${id}, ${deliveryId})
    on conflict do nothing returning 1`
  return inserted.length > 0
}

export const touchCodeHost = (db: Tx, { projectId, id }: Receiver) => db`
  update code_hosts set last_received_at = now() where project_id = ${projectId} and id = ${id}`

/** Keeps the signatures of GitHub. They stay valid as long as the secret, so an old delivery could be sent again. */
export async function forgetOldReceipts(db: Db): Promise<void> {
  await db`
    delete from code_host_receipts where received_at < now() - interval '30 days' and delivery_id not like 'sha256=%'`
}

export interface Named {
  id: string
  number: number
  status: WorkOrderStatus
}

/** Locks the work orders with these numbers, in one order for all callers. */
export const lockNamedWorkOrders = (db: Tx, projectId: string, numbers: number[]) => db<Named[]>`
  select id, work_order_number::int as number, status from work_orders
  where project_id = ${projectId} and work_order_number = any(${numbers}::bigint[]) order by id for update`

export interface NewLink extends Code {
  workOrderId: string
}

/** Returns the links that are new or changed. What the host changed earlier does not undo what it changed later. */
export const upsertLinks = (db: Tx, projectId: string, links: NewLink[]) => db<NewLink[]>`
  insert into work_order_code as c (project_id, work_order_id, kind, repository, reference, title, url, author, state,
    changed_at)
  select ${projectId}, l."workOrderId", l.kind, l.repository, l.reference, l.title, l.url, l.author, l.state, l."changedAt"
  from jsonb_to_recordset(${json(links)}) as l ("workOrderId" uuid, kind text, repository text, reference text, title text,
    url text, author text, state text, "changedAt" timestamptz)
  on conflict (project_id, work_order_id, kind, repository, reference) do update set title = excluded.title,
    url = excluded.url, author = excluded.author, state = excluded.state, changed_at = excluded.changed_at
  where excluded.changed_at >= c.changed_at
    and (excluded.title, excluded.state) is distinct from (c.title, c.state)
  returning work_order_id as "workOrderId", ${codeColumns(db)}`

const codeColumns = (db: Db) => db`kind, repository, reference, title, url, author, state, changed_at as "changedAt"`

/** Pull requests first, then the newest. */
export const listCodeOfWorkOrder = (db: Db, projectId: string, workOrderId: string) => db<Code[]>`
  select ${codeColumns(db)} from work_order_code
  where project_id = ${projectId} and work_order_id = ${workOrderId}
  order by kind desc, changed_at desc, reference limit 500`

export async function hasWorkOrder(db: Db, projectId: string, id: string): Promise<boolean> {
  return (await db`select 1 from work_orders where project_id = ${projectId} and id = ${id}`).length > 0
}
