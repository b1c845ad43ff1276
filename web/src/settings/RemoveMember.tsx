import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { newId } from '../lib/ids.ts'
import type { Project } from '../lib/session.ts'
import { Avatar } from '../people/Avatar.tsx'
import { ConfirmDialog } from '../ui/dialogs.tsx'
import { Select } from '../ui/Select.tsx'
import { rowsQuery, updateWorkOrders } from '../work-orders/api.ts'
import { NONE } from '../work-orders/properties.tsx'
import { refreshRows } from '../work-orders/rows/cache.ts'
import type { WorkOrderRow } from '../work-orders/work-order.ts'
import type { Member } from './api.ts'
import css from './Settings.module.css'

const KEEP = 'keep'

interface Props {
  member: Member
  /** Who can take over the work. */
  others: Member[]
  isMe: boolean
  project: Project
  /** `giveWork` must have succeeded before the person is removed. */
  onConfirm(giveWork: () => Promise<void>): Promise<void>
  onClose(): void
}

/** Asks before a person loses the project, names what stops, and offers to give their open work to somebody. */
export function RemoveMember({ member, others, isMe, project, onConfirm, onClose }: Props) {
  const rows = useQuery(rowsQuery(project.id)).data
  const open = rows?.filter(({ assignee, status }) => assignee?.id === member.user.id && status !== 'completed') ?? []
  const [heir, setHeir] = useState(KEEP)
  const giveWork = async () => {
    if (heir !== KEEP && open.length > 0) await assignAll(project.id, open, heir === NONE ? null : heir)
  }
  return (
    <ConfirmDialog
      title={`Remove ${member.user.display_name}?`}
      verb="Remove"
      onConfirm={() => onConfirm(giveWork)}
      onClose={onClose}
    >
      <Stops member={member} isMe={isMe} project={project.name} />
      {open.length > 0 && (
        <div className={css.work}>
          <p>
            {countOf(open.length, 'open work order')} {open.length === 1 ? 'is' : 'are'} assigned to{' '}
            {isMe ? 'you' : 'them'}. Who takes over?
          </p>
          <Select
            label="Who takes over"
            value={heir}
            options={[
              { value: KEEP, label: `Stay with ${member.user.display_name}` },
              ...others.map(({ user }) => ({
                value: user.id,
                label: user.display_name,
                icon: <Avatar person={{ id: user.id, name: user.display_name, email: user.email }} size={18} />,
              })),
              { value: NONE, label: 'Nobody', icon: <Avatar person={null} size={18} /> },
            ]}
            onPick={setHeir}
          />
          {heir === KEEP && <p className={css.dim}>The filter lists them as “{member.user.display_name} (left)”.</p>}
        </div>
      )}
    </ConfirmDialog>
  )
}

async function assignAll(projectId: string, rows: WorkOrderRow[], assignee_id: string | null): Promise<void> {
  const updates = rows.map(({ id, work_order_number: number }) => ({ id, number, fields: { assignee_id } }))
  const { results } = await updateWorkOrders(projectId, updates, newId())
  refreshRows(projectId)
  const failed = Object.values(results).filter(({ status }) => status === 'failed')
  if (failed.length > 0)
    throw new Error(`${countOf(failed.length, 'work order')} could not be given away. ${failed[0]!.message}`)
}

const countOf = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`

/** Names everything that no longer works. */
function Stops({ member, isMe, project }: { member: Member; isMe: boolean; project: string }) {
  const { sessions, automations } = member
  const keys = member.keys + member.expired_keys
  const stops = [
    sessions > 0 && `${countOf(sessions, 'session')} can no longer open the project`,
    keys > 0 && `${countOf(keys, 'key')} ${keys === 1 ? 'is' : 'are'} revoked`,
    automations > 0 && `${countOf(automations, 'automation')} no longer ${automations === 1 ? 'runs' : 'run'}`,
  ].filter((line) => line !== false)
  return (
    <>
      <p>
        {isMe ? 'You lose' : 'They lose'} {project} at once.{stops.length > 0 && ' This stops with it:'}
      </p>
      {stops.length > 0 && (
        <ul className={css.stops}>
          {stops.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      <p>
        What {isMe ? 'you' : 'they'} wrote stays. An invite link brings {isMe ? 'you' : 'them'} back, without keys.
      </p>
    </>
  )
}
