import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useRouteContext, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { cx } from '../lib/cx.ts'
import { useMayWrite } from '../lib/may-write.ts'
import { formatCount } from '../lib/numbers.ts'
import { IconHistory, IconInbox, IconListDetails, IconPlus, IconUser } from '../ui/icons.ts'
import lists from '../ui/SidebarList.module.css'
import { type AutomationRow, rowsQuery } from './api.ts'
import { isShown } from './list/AutomationsPage.tsx'
import type { ListSearch } from './search.ts'
import css from './sidebar.module.css'
import { TriggerIcon } from './TriggerIcon.tsx'

const SIZE = { size: 15, stroke: 1.75 }

/** Below the modules: the lists of automations, and each of them with how it goes. */
export function Sidebar() {
  const { project, session } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const rows = useQuery(rowsQuery(project.id)).data?.items
  const path = useLocation({ select: ({ pathname }) => pathname })
  const mayWrite = useMayWrite()
  const count = (show: ListSearch['show']) => rows?.filter((row) => isShown(row, show, session.user.id)).length
  return (
    <nav className={lists.lists} aria-label="Automations">
      <h2 className={lists.heading}>Views</h2>
      <View icon={<IconListDetails {...SIZE} />} count={count(undefined)}>
        All automations
      </View>
      <View show="mine" icon={<IconUser {...SIZE} />} count={count('mine')}>
        Owned by me
      </View>
      <View show="waiting" icon={<IconInbox {...SIZE} />} count={count('waiting')}>
        Waits for you
      </View>
      <Link
        to="/p/$projectId/automations/runs"
        params={{ projectId: project.id }}
        className={lists.view}
        activeProps={{}}
        data-active={path.includes('/automations/runs') || undefined}
      >
        <IconHistory {...SIZE} />
        <span className={lists.grow}>All runs</span>
      </Link>
      <h2 className={lists.heading}>
        Automations
        {mayWrite && (
          <Link
            to="/p/$projectId/automations/new"
            params={{ projectId: project.id }}
            className={lists.add}
            aria-label="New automation"
          >
            <IconPlus {...SIZE} />
          </Link>
        )}
      </h2>
      {rows?.map((row) => (
        <Link
          key={row.id}
          to="/p/$projectId/automations/$automationId"
          params={{ projectId: project.id, automationId: row.id }}
          className={lists.view}
          activeProps={{ 'data-active': true } as object}
        >
          <TriggerIcon type={row.triggers[0]?.trigger_type ?? 'manual'} />
          <span className={lists.grow}>{row.name}</span>
          <State row={row} />
        </Link>
      ))}
    </nav>
  )
}

function State({ row }: { row: AutomationRow }) {
  const [name, look] =
    row.paused !== null
      ? ['paused', css.red]
      : row.waiting.length > 0
        ? ['waits for approval', css.amber]
        : row.enabled
          ? ['on', css.green]
          : ['off', css.off]
  return <span className={cx(css.dot, look)} role="img" aria-label={name} title={name} />
}

interface ViewProps {
  show?: ListSearch['show']
  icon: ReactNode
  count: number | undefined
  children: ReactNode
}

function View({ show, icon, count, children }: ViewProps) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const isList = useLocation({ select: ({ pathname }) => pathname.endsWith('/automations') })
  const search: ListSearch = useSearch({ strict: false })
  const isOpen = isList && search.show === show
  return (
    <Link
      to="/p/$projectId/automations"
      params={{ projectId: project.id }}
      search={show ? { show } : {}}
      className={lists.view}
      activeProps={{}}
      data-active={isOpen || undefined}
      aria-current={isOpen ? 'page' : undefined}
    >
      {icon}
      <span className={lists.grow}>{children}</span>
      {count !== undefined && <span className={lists.count}>{formatCount(count)}</span>}
    </Link>
  )
}
