import { Link, useRouteContext, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { IconBolt, IconMessages, IconUser } from '../ui/icons.ts'
import css from '../ui/SidebarList.module.css'
import type { ConversationSearch } from './search.ts'

const SIZE = { size: 15, stroke: 1.75 }

/** Who began them. */
export const Sidebar = () => (
  <div className={css.lists}>
    <nav aria-label="Origin">
      <h2 className={css.heading}>Origin</h2>
      <Place origin={undefined} icon={<IconMessages {...SIZE} />}>
        All
      </Place>
      <Place origin="user" icon={<IconUser {...SIZE} />}>
        Started by people
      </Place>
      <Place origin="automation" icon={<IconBolt {...SIZE} />}>
        From automations
      </Place>
    </nav>
  </div>
)

function Place({
  origin,
  icon,
  children,
}: {
  origin: ConversationSearch['origin']
  icon: ReactNode
  children: ReactNode
}) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const isHere = (useSearch({ strict: false }) as ConversationSearch).origin === origin
  return (
    <Link
      to="/p/$projectId/conversations"
      params={{ projectId: project.id }}
      search={origin ? { origin } : {}}
      className={css.view}
      activeProps={{}}
      data-active={isHere || undefined}
      aria-current={isHere ? 'page' : undefined}
    >
      {icon}
      <span className={css.grow}>{children}</span>
    </Link>
  )
}
