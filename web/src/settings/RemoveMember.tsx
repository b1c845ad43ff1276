import { items } from '@slipway/sdk'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { clientOf } from '../lib/client.ts'
import { newId } from '../lib/ids.ts'
import { queryClient } from '../lib/query-client.ts'
import type { Project } from '../lib/session.ts'
import { Avatar } from '../people/Avatar.tsx'
import { ConfirmDialog } from '../ui/dialogs.tsx'
import { Select } from '../ui/Select.tsx'
import type { Member } from './api.ts'
import css from './Settings.module.css'

const KEEP = 'keep'
const NOBODY = 'nobody'
const MAX_OPERATIONS = 500

/** The numbers of the open work orders of a person. */
const openWorkQuery = (projectId: string, userId: string) =>
  queryOptions({
    queryKey: [projectId, 'open-work', userId],
    queryFn: async ({ signal }) => {
      const numbers: number[] = []
      const open = items(clientOf(projectId).workOrders.list, { assignee_id: [userId] }, { signal })
      for await (const one of open) if (one.status !== 'completed') numbers.push(one.work_order_number)
      return numbers
    },
    staleTime: 0,
  })

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
  const open = useQuery(openWorkQuery(project.id, member.user.id)).data ?? []
  const [heir, setHeir] = useState(KEEP)
  const giveWork = async () => {
    if (heir !== KEEP && open.length > 0) await assignAll(project.id, open, heir === NOBODY ? null : heir)
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
              { value: NOBODY, label: 'Nobody', icon: <Avatar person={null} size={18} /> },
            ]}
            onPick={setHeir}
          />
          {heir === KEEP && <p className={css.dim}>The filter lists them as “{member.user.display_name} (left)”.</p>}
        </div>
      )}
    </ConfirmDialog>
  )
}

async function assignAll(projectId: string, numbers: number[], assignee_id: string | null): Promise<void> {
  const { workOrders } = clientOf(projectId)
  const refused: string[] = []
  for (let start = 0; start < numbers.length; start += MAX_OPERATIONS) {
    const operations = numbers.slice(start, start + MAX_OPERATIONS).map((work_order_number) => ({
      operation_id: String(work_order_number),
      operation_type: 'UpdateWorkOrder',
      target: { work_order_number },
      patch: { assignee_id },
    }))
    const key = newId()
    const { results } = await workOrders.batchUpdate({ request_id: key, operations }, { idempotencyKey: key })
    for (const { status, message } of Object.values(results)) if (status === 'failed') refused.push(message)
  }
  void queryClient.invalidateQueries({ queryKey: [projectId] })
  if (refused.length > 0)
    throw new Error(`${countOf(refused.length, 'work order')} could not be given away. ${refused[0]}`)
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
