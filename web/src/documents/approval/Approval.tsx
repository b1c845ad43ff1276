import { useQuery } from '@tanstack/react-query'
import { Link, useRouteContext } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { isNew } from '../../lib/ids.ts'
import { useMayWrite } from '../../lib/may-write.ts'
import { fullTimeOf } from '../../lib/time.ts'
import { Avatar } from '../../people/Avatar.tsx'
import { membersQuery } from '../../people/members.ts'
import { Button } from '../../ui/Button.tsx'
import { IconCircleCheck, IconCircleDashed, IconEye, IconX } from '../../ui/icons.ts'
import { openPicker } from '../../ui/open-picker.tsx'
import { type Option, Pick } from '../../ui/Pick.tsx'
import { PropertyLine, PropertyLines } from '../../ui/PropertyList.tsx'
import css from './Approval.module.css'
import { type Status, useApproval } from './use-approval.ts'

const SIZE = { size: 16, stroke: 1.75 }
const NOBODY = 'nobody'
const STATUSES: Record<Status, { label: string; icon: ReactNode }> = {
  draft: { label: 'Draft', icon: <IconCircleDashed {...SIZE} /> },
  in_review: { label: 'In review', icon: <IconEye {...SIZE} /> },
  retired: { label: 'Retired', icon: <IconX {...SIZE} /> },
}

interface Props {
  document: { id: string; version_id: string; version_number: number }
}

/** Where a requirement stands, who answers for it, and who approved which version. */
export function Approval({ document }: Props) {
  const { project, session } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const mayWrite = useMayWrite()
  const { state, change, approve, withdraw } = useApproval(project.id, document.id)
  const members = useQuery(membersQuery(project.id)).data ?? []
  if (!state) return <section className={css.line} aria-busy />
  const { status, owner, approvals } = state
  const version = { version_id: document.version_id, version_number: document.version_number }
  const current = approvals.filter((one) => one.version_id === document.version_id)
  const [last] = approvals
  const own = current.find((one) => one.user_id === session.user.id)
  const person = owner && { ...owner, email: '' }
  const list = (label: string, options: Option[], selected: string, onPick: (value: string) => void) =>
    mayWrite
      ? (beside: Element) =>
          openPicker(beside, label, (close) => (
            <Pick
              selected={[selected]}
              options={options}
              onPick={(value) => {
                close()
                if (value !== selected) onPick(value)
              }}
            />
          ))
      : undefined
  const statuses = Object.entries(STATUSES).map(([value, one]) => ({ value, ...one }))
  const owners = [
    { value: NOBODY, label: 'No owner', icon: <Avatar person={null} size={18} /> },
    ...members.map((one) => ({ value: one.id, label: one.name, icon: <Avatar person={one} size={18} /> })),
  ]
  return (
    <section className={css.line} aria-label="Approval">
      <PropertyLines inRow>
        <PropertyLine
          name="Status"
          property="status"
          sign={STATUSES[status].icon}
          onOpen={list('Status', statuses, status, (value) =>
            change({ status: value as Status }, `Status: ${STATUSES[value as Status].label}`),
          )}
        >
          {STATUSES[status].label}
        </PropertyLine>
        <PropertyLine
          name="Owner"
          property="owner"
          sign={<Avatar person={person} size={18} />}
          onOpen={list('Owner', owners, owner?.id ?? NOBODY, (value) =>
            change({ owner: members.find((one) => one.id === value) ?? null }, 'Owner changed'),
          )}
        >
          {owner?.name ?? 'No owner'}
        </PropertyLine>
      </PropertyLines>
      {current.length > 0 && (
        <span className={css.approved} title={current.map((one) => fullTimeOf(one.approved_at)).join(', ')}>
          <IconCircleCheck {...SIZE} /> Version {document.version_number} approved by {namesOf(current)}
        </span>
      )}
      {current.length === 0 && last && (
        <span className={css.changed}>
          Changed since {namesOf(approvals.filter((one) => one.version_id === last.version_id))} approved{' '}
          <Link
            to="/p/$projectId/requirements/$documentId/history"
            params={{ projectId: project.id, documentId: document.id }}
            search={{ a: String(last.version_number) }}
          >
            version {last.version_number}
          </Link>
        </span>
      )}
      {mayWrite && own && !isNew(own) && (
        <Button look="quiet" onClick={() => withdraw(own)}>
          Withdraw
        </Button>
      )}
      {mayWrite && !own && (status === 'in_review' || last) && (
        <Button icon={<IconCircleCheck {...SIZE} />} onClick={() => approve(version, session.user)}>
          Approve version {document.version_number}
        </Button>
      )}
    </section>
  )
}

const namesOf = (approvals: { approved_by_name: string }[]) =>
  new Intl.ListFormat('en').format(approvals.map((one) => one.approved_by_name))
