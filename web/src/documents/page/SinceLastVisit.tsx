import { useQuery } from '@tanstack/react-query'
import { Link, useRouteContext } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { defineWrite } from '../../lib/outbox/index.ts'
import { IconButton } from '../../ui/Button.tsx'
import { IconHistory, IconX } from '../../ui/icons.ts'
import { Time } from '../../ui/Time.tsx'
import { visitQuery } from '../api.ts'
import { documentsOf, type Kind } from '../kind.ts'
import css from './SinceLastVisit.module.css'

/** Without a connection, the next visit says again what this one did. */
const noteVisit = defineWrite<{ kind: Kind; id: string }, unknown>({
  name: 'documents.visit',
  waits: false,
  about: ({ id }) => ({ subjects: [`visit-${id}`] }),
  send: ({ kind, id }, { projectId }) => documentsOf(projectId, kind).noteVisit(id),
})

/** Whoever only passes by has not read it. */
const READ_MS = 2_000

/** Says what others wrote since this person last looked, and notes when they leave that they have seen it. */
export function SinceLastVisit({ kind, id }: { kind: Kind; id: string }) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const visit = useQuery(visitQuery(project.id, kind, id)).data
  const [isHidden, setHidden] = useState(false)
  const isKnown = visit !== undefined
  useEffect(() => {
    if (!isKnown) return
    const openedAt = Date.now()
    const isRead = () => Date.now() - openedAt >= READ_MS
    const leave = () => void (isRead() && noteVisit(project.id, { kind, id }))
    addEventListener('pagehide', leave)
    return () => {
      removeEventListener('pagehide', leave)
      leave()
    }
  }, [isKnown, project.id, kind, id])
  if (!visit?.version_number || visit.new_version_count === 0 || isHidden) return null
  const { new_version_count: count, authors, seen_at, version_number } = visit
  return (
    <p className={css.note} role="status">
      <IconHistory size={15} stroke={1.75} />
      <span className={css.text}>
        {count === 1 ? '1 new version' : `${count} new versions`} by {listOf(authors)} since you looked
        {seen_at && (
          <>
            {' '}
            <Time at={seen_at} as="when" />
          </>
        )}
        .{' '}
        <Link
          to={`/p/$projectId/${kind}/$documentId/history`}
          params={{ projectId: project.id, documentId: id }}
          search={{ a: String(version_number) }}
        >
          See what changed
        </Link>
      </span>
      <IconButton small label="Hide" onClick={() => setHidden(true)}>
        <IconX size={14} />
      </IconButton>
    </p>
  )
}

const listOf = (names: string[]) =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
