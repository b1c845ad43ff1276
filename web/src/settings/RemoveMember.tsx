import { items } from '@slipway/sdk'
import * as api from '@slipway/sdk/resources'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callOf } from '../lib/client.ts'
import { countOf } from '../lib/numbers.ts'
import type { Project } from '../lib/session.ts'
import { Avatar } from '../people/Avatar.tsx'
import { ConfirmDialog } from '../ui/dialogs.tsx'
import { Select } from '../ui/Select.tsx'
import type { Member } from './api.ts'
import type { Handover } from './hand-over.ts'
import css from './Settings.module.css'

const KEEP = 'keep'
const NOBODY = 'nobody'

/** The numbers of the open work orders of a person. */
const openWorkQuery = (projectId: string, userId: string) =>
  queryOptions({
    queryKey: [projectId, 'open-work', userId],
    queryFn: async ({ signal }) => {
      const numbers: number[] = []
      const open = items(api.workOrders(callOf(projectId)).list, { assignee_id: [userId] }, { signal })
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
  onConfirm(work: Handover | undefined): Promise<void>
  onClose(): void
}

/** Asks before a person loses the project, names what stops, and offers to give their open work to somebody. */
export function RemoveMember({ member, others, isMe, project, onConfirm, onClose }: Props) {
  const open = useQuery(openWorkQuery(project.id, member.user.id)).data ?? []
  const [heir, setHeir] = useState(KEEP)
  const work =
    heir === KEEP || open.length === 0 ? undefined : { numbers: open, assigneeId: heir === NOBODY ? null : heir }
  return (
    <ConfirmDialog
      title={`Remove ${member.user.display_name}?`}
      verb="Remove"
      onConfirm={() => onConfirm(work)}
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
