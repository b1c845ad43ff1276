import { useRouteContext } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import type { LiveState } from '../lib/change-stream.ts'
import { useConnection } from '../lib/connection.ts'
import { cx } from '../lib/cx.ts'
import { liveState } from '../lib/live.ts'
import { openPlaces } from '../lib/overlays.ts'
import { pageOf, people } from '../lib/presence.ts'
import { notice } from '../lib/recent-changes.ts'
import { isSidebarHidden, toggleSidebar } from '../lib/sidebar-state.ts'
import { useStore } from '../lib/store.ts'
import { clockOf } from '../lib/time.ts'
import { ActorMark } from '../people/ActorMark.tsx'
import { Avatar } from '../people/Avatar.tsx'
import { IconButton } from './Button.tsx'
import { IconChevronDown, IconLayoutSidebarLeftCollapse } from './icons.ts'
import { UnsavedSign } from './outbox/OfflineBanner.tsx'
import { ProjectMark } from './ProjectSwitcher.tsx'
import css from './TopBar.module.css'

const NAMES: Record<LiveState, string> = { live: 'Live', connecting: 'Connecting', offline: 'Offline since' }

interface Props {
  path: ReactNode
  /** On a narrow screen this stands instead of the path, and opens all places. For pages that have no way back. */
  title?: string
  tools?: ReactNode
  children?: ReactNode
}

/** Where you are, what others do, whether their changes arrive, and the main action of the page. */
export function TopBar({ path, title, tools, children }: Props) {
  const live = useStore(liveState)
  const hidden = useStore(isSidebarHidden)
  const { since } = useConnection()
  const name = live === 'offline' ? `${NAMES[live]} ${clockOf(since)}` : NAMES[live]
  return (
    <header className={css.bar}>
      <IconButton
        label={hidden ? 'Show the sidebar' : 'Hide the sidebar'}
        className={css.fold}
        aria-expanded={!hidden}
        onClick={toggleSidebar}
      >
        <IconLayoutSidebarLeftCollapse size={17} stroke={1.75} />
      </IconButton>
      <div className={cx(css.path, title !== undefined && css.wide)}>{path}</div>
      {title !== undefined && <PlacesButton title={title} />}
      <LastNotice />
      {tools}
      <UnsavedSign />
      <span className={css.live} role="status" aria-label={name}>
        <span className={cx(css.dot, css[live])} />
        <span className={css.state}>{live !== 'connecting' && name}</span>
      </span>
      {live === 'live' && <People />}
      {children}
    </header>
  )
}

function PlacesButton({ title }: { title: string }) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  return (
    <button type="button" className={css.places} aria-haspopup="dialog" onClick={openPlaces}>
      <ProjectMark name={project.name} />
      <span className={css.title}>{title}</span>
      <IconChevronDown size={16} stroke={1.75} />
    </button>
  )
}

/** What somebody else has just done. It is also said to those who cannot see it. */
function LastNotice() {
  const shown = useStore(notice)
  return (
    <span className={css.notice} aria-live="polite">
      {shown && (
        <Fragment key={shown.id}>
          <ActorMark actor={shown.actor} />
          {shown.open ? (
            <button type="button" onClick={shown.open}>
              {shown.actor.name} {shown.text}
            </button>
          ) : (
            <span>
              {shown.actor.name} {shown.text}
            </span>
          )}
        </Fragment>
      )}
    </span>
  )
}

const MAX_FACES = 4

/** Who else has the project open. Those on the same page come first, with a ring. */
function People() {
  const { session } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const here = useStore(people)
  const page = pageOf(location.pathname)
  const others = here.people.filter(({ id }) => id !== session.user.id)
  if (others.length === 0) return null
  const sorted = [...others].sort((a, b) => Number(b.page === page) - Number(a.page === page))
  const hidden = here.total - 1 - Math.min(MAX_FACES, others.length)
  return (
    <ul className={css.people} aria-label={`Also here: ${others.map(({ name }) => name).join(', ')}`}>
      {sorted.slice(0, MAX_FACES).map((person) => (
        <li
          key={person.id}
          className={cx(css.face, person.page === page && css.same)}
          title={person.page === page ? `${person.name} is on this page` : `${person.name} is here`}
        >
          <Avatar person={{ ...person, email: '' }} />
        </li>
      ))}
      {hidden > 0 && <li className={css.more}>+{hidden}</li>}
    </ul>
  )
}
