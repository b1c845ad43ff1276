import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useRouteContext, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { costOf } from '../../agents/cost.ts'
import { PHONE, useWidth } from '../../lib/breakpoints.ts'
import { useMayWrite } from '../../lib/may-write.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { useShortcut } from '../../lib/shortcuts.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Meter } from '../../ui/charts.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { IconFilter, IconHistory, IconPlus } from '../../ui/icons.ts'
import { Kbd } from '../../ui/Kbd.tsx'
import { LoadFault } from '../../ui/LoadFault.tsx'
import { TabFace, Tabs, tabClass } from '../../ui/Tabs.tsx'
import { TopBar } from '../../ui/TopBar.tsx'
import { Toolbar, ToolbarSpace } from '../../ui/toolbar/Toolbar.tsx'
import { type AutomationRow, budgetQuery, rowsQuery } from '../api.ts'
import type { ListSearch } from '../search.ts'
import css from './Automations.module.css'
import { Row } from './Row.tsx'
import { TemplateCards } from './TemplateCards.tsx'

export const isShown = (row: AutomationRow, show: ListSearch['show'], userId: string) =>
  show === undefined ||
  (show === 'mine' ? row.owner?.id === userId : show === 'waiting' ? needsPerson(row) : row.enabled === (show === 'on'))

/** It waits for somebody who looks after it: to decide, or to resume it. */
export const needsPerson = ({ waiting, paused, may }: AutomationRow) =>
  (may.review && waiting.length > 0) || (may.edit && paused !== null && paused.until === null)

export function AutomationsPage() {
  const { project, session } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const { show } = useSearch({ from: '/signed-in/p/$projectId/automations' })
  const query = useQuery(rowsQuery(project.id))
  const mayWrite = useMayWrite()
  const isPhone = useWidth(PHONE)
  const navigate = useNavigate()
  const list = useRef<HTMLDivElement>(null)
  usePageTitle(`Automations · ${project.name}`)
  const create = () => void navigate({ to: '/p/$projectId/automations/new', params: { projectId: project.id } })
  useShortcut('create', mayWrite ? create : undefined)
  const step = (by: 1 | -1) => {
    const links = [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
    const at = links.indexOf(document.activeElement as HTMLElement)
    links[Math.max(0, Math.min(links.length - 1, at + by))]?.focus()
  }
  useShortcut('next', () => step(1))
  useShortcut('previous', () => step(-1))
  const all = query.data?.items
  const rows = all
    ?.filter((row) => isShown(row, show, session.user.id))
    .toSorted((a, b) => Number(needsPerson(b)) - Number(needsPerson(a)))
  return (
    <>
      <TopBar
        path={
          <>
            {project.name} / <strong>Automations</strong>
          </>
        }
        title="Automations"
      >
        {mayWrite && !isPhone && (
          <Button look="primary" icon={<IconPlus size={16} />} onClick={create}>
            New automation <Kbd keys="c" onAccent />
          </Button>
        )}
        {mayWrite && isPhone && (
          <IconButton label="New automation" onClick={create}>
            <IconPlus size={20} stroke={1.75} />
          </IconButton>
        )}
      </TopBar>
      <h1 className="sr-only">Automations</h1>
      <Toolbar>
        <Shown all={all} show={show} />
        <ToolbarSpace />
        <Together projectId={project.id} />
        <Link
          to="/p/$projectId/automations/runs"
          params={{ projectId: project.id }}
          className={tabClass}
          activeProps={{}}
        >
          <IconHistory size={16} stroke={1.75} /> All runs
        </Link>
      </Toolbar>
      <div ref={list} className={css.page}>
        {query.error && !all ? (
          <LoadFault what="The automations" error={query.error} onRetry={query.refetch} />
        ) : !rows ? (
          <div className={css.skeleton} aria-busy="true">
            <span />
            <span />
            <span />
          </div>
        ) : rows.length === 0 ? (
          <EmptyState
            icon={<IconFilter size={22} stroke={1.75} />}
            title={show === 'waiting' ? 'Nothing waits for you' : 'No automation is here'}
            action={
              <Link to="." search={{}} className={css.link}>
                Show all automations
              </Link>
            }
          >
            Proposals to decide about, and automations that paused after failures, are listed here.
          </EmptyState>
        ) : (
          <section aria-label="Automations" className={css.table}>
            <div className={css.heads} aria-hidden="true">
              <span>Automation, and what it may do</span>
              <span className={css.wide}>When</span>
              <span className={css.wide}>Owner</span>
              <span>Last run</span>
              <span className={css.wide}>30 days</span>
              <span className={css.wide}>Budget, this month</span>
              <span>On</span>
              <span />
            </div>
            {rows.map((row) => (
              <Row key={row.id} row={row} projectId={project.id} hasModel={query.data?.model.is_set === true} />
            ))}
          </section>
        )}
        {all && mayWrite && <TemplateCards projectId={project.id} rows={all} />}
      </div>
    </>
  )
}

function Shown({ all, show }: { all: AutomationRow[] | undefined; show: ListSearch['show'] }) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const on = all?.filter(({ enabled }) => enabled).length
  const tab = (name: string, value: ListSearch['show'], count: number | undefined) => (
    <Link
      to="/p/$projectId/automations"
      params={{ projectId: project.id }}
      search={value ? { show: value } : {}}
      className={tabClass}
      activeProps={{}}
      activeOptions={{ exact: true }}
      aria-current={show === value ? 'page' : undefined}
    >
      <TabFace count={count}>{name}</TabFace>
    </Link>
  )
  return (
    <Tabs label="Automations">
      {tab('All', undefined, all?.length)}
      {tab('On', 'on', on)}
      {tab('Off', 'off', all && on !== undefined ? all.length - on : undefined)}
    </Tabs>
  )
}

/** What all agents of the project have used of its budget. */
function Together({ projectId }: { projectId: string }) {
  const budget = useQuery(budgetQuery(projectId)).data
  const limit = budget?.limits.cost_per_month
  if (!budget || !limit) return null
  const text = `${costOf(budget.used.month.cost)} of ${costOf(limit)}`
  return (
    <span className={css.together}>
      All together this month
      <Meter label="Budget of the project" value={budget.used.month.cost} max={limit} text={text} tone="budget" />
      <strong>{text}</strong>
    </span>
  )
}
