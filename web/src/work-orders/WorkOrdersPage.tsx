import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useRouteContext, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { useWidth, WITH_BESIDE } from '../lib/breakpoints.ts'
import { countsQuery } from '../lib/counts.ts'
import { useMayWrite } from '../lib/may-write.ts'
import { countOf } from '../lib/numbers.ts'
import { openPalette } from '../lib/overlays.ts'
import { usePageTitle } from '../lib/page-title.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { IconChecklist, IconFilter, IconPlus, IconSearch } from '../ui/icons.ts'
import { Kbd } from '../ui/Kbd.tsx'
import { Split } from '../ui/Split.tsx'
import { TopBar } from '../ui/TopBar.tsx'
import { phasesQuery, rowsQuery } from './api.ts'
import { useClaimed } from './claims.tsx'
import { openCreate } from './create/open-create.ts'
import { TableView } from './list/TableView.tsx'
import { Toolbar } from './list/Toolbar.tsx'
import { WorkOrdersSkeleton } from './list/WorkOrdersSkeleton.tsx'
import { isPartial } from './rows/load-rows.ts'
import { filterRows, groupRows, rowsInOrder, sortRows } from './rows/rows.ts'
import { filtersOf } from './search.ts'
import css from './WorkOrdersPage.module.css'
import { codeOf, DEFAULT_SORT, type Group, type Phase, type WorkOrderRow } from './work-order.ts'

const WorkOrderBoard = lazy(() => import('./board/WorkOrderBoard.tsx'))
const BesidePanel = lazy(() => import('./detail/BesidePanel.tsx'))
const WorkOrderPhases = lazy(() => import('./phases/WorkOrderPhases.tsx'))

export function WorkOrdersPage() {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const search = useSearch({ from: '/signed-in/p/$projectId/work-orders' })
  const { data: all, error, isFetching } = useQuery(rowsQuery(project.id))
  const total = useQuery({ ...countsQuery(project.id), select: (counts) => counts.work_orders }).data
  const phases = useQuery(phasesQuery(project.id)).data
  const claimed = useClaimed(project.id)
  const mayWrite = useMayWrite()
  const isWide = useWidth(WITH_BESIDE)
  if (error && !all) throw error
  // What is open beside does not change what is listed.
  const { beside, saved: _, view, group, sort, show: __, ...filters } = search
  const filterKey = JSON.stringify(filters)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the filters.
  const rows = useMemo(
    () => (all ? sortRows(filterRows(all, filtersOf(filters), claimed), sort ?? DEFAULT_SORT) : undefined),
    [all, filterKey, sort, claimed],
  )
  const groups = useGroups(rows, view ? (view === 'board' ? 'status' : 'phase') : (group ?? 'status'), phases)
  const openNumber = isWide && beside ? Number(beside) : undefined
  const opened = all?.find((row) => row.work_order_number === openNumber)
  const panel =
    openNumber === undefined
      ? undefined
      : {
          of: String(openNumber),
          panel: <BesidePanel number={openNumber} projectId={project.id} rows={groups.inOrder} />,
        }
  usePageTitle(opened ? `${codeOf(opened)} ${opened.title}` : `Work Orders · ${project.name}`)
  return (
    <>
      <TopBar
        path={
          <>
            {project.name} / <strong>Work Orders</strong>
          </>
        }
        title="Work Orders"
      >
        {mayWrite && (
          <Button look="primary" className={css.create} icon={<IconPlus size={16} />} onClick={() => openCreate()}>
            New work order <Kbd keys="c" onAccent />
          </Button>
        )}
        <IconButton label="Search" className={css.narrow} onClick={openPalette}>
          <IconSearch size={20} stroke={1.75} />
        </IconButton>
        {mayWrite && (
          <IconButton label="New work order" className={css.narrow} onClick={() => openCreate()}>
            <IconPlus size={20} stroke={1.75} />
          </IconButton>
        )}
      </TopBar>
      <h1 className="sr-only">Work Orders</h1>
      <Split beside={panel}>
        <Toolbar
          all={all ?? []}
          rows={rows}
          expected={isFetching && all && isPartial(project.id) ? total : undefined}
        />
        {!rows || !all ? (
          <WorkOrdersSkeleton view={view} />
        ) : all.length === 0 ? (
          <NoWorkOrders />
        ) : rows.length === 0 ? (
          <EmptyState
            icon={<IconFilter size={22} stroke={1.75} />}
            title={filters.claim ? 'No claimed work order matches' : 'No work order matches'}
            action={
              <Link
                to="."
                search={(old) => ({ view: old.view, sort: old.sort, group: old.group, show: old.show })}
                className={css.clear}
              >
                Clear the filters
              </Link>
            }
          >
            {filters.claim && claimed.size === 0
              ? 'No agent has claimed anything at the moment.'
              : `${countOf(all.length, 'work order')} ${all.length === 1 ? 'is' : 'are'} hidden by the filters.`}
          </EmptyState>
        ) : (
          <Suspense fallback={<WorkOrdersSkeleton view={view} />}>
            {view === 'board' ? (
              <WorkOrderBoard rows={rows} />
            ) : view === 'phases' ? (
              <WorkOrderPhases rows={rows} phases={phases ?? []} />
            ) : (
              <TableView rows={rows} groups={groups} openNumber={openNumber} />
            )}
          </Suspense>
        )}
      </Split>
      {beside && !isWide && <OpenAsPage number={beside} projectId={project.id} />}
    </>
  )
}

/** The rows in groups, some of them folded. */
function useGroups(rows: WorkOrderRow[] | undefined, by: Group, phases: Phase[] | undefined) {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const all = useMemo(() => groupRows(rows ?? [], by, phases ?? []), [rows, by, phases])
  return useMemo(() => {
    const fold = (key: string) =>
      setFolded((old) => (old.has(key) ? new Set([...old].filter((one) => one !== key)) : new Set(old).add(key)))
    return { by, all, folded, fold, inOrder: rowsInOrder(all, folded) }
  }, [by, all, folded])
}

/** An address from a wide screen, opened on a narrow one. */
function OpenAsPage({ number, projectId }: { number: string; projectId: string }) {
  const navigate = useNavigate()
  useEffect(() => {
    void navigate({ to: '/p/$projectId/work-orders/$number', params: { projectId, number }, replace: true })
  }, [navigate, projectId, number])
  return null
}

function NoWorkOrders() {
  const mayWrite = useMayWrite()
  const body =
    '{"request_id": "first", "operations": [{"operation_id": "1", "operation_type": "CreateWorkOrder", "patch": {"title": "Round the total once"}}]}'
  return (
    <EmptyState
      icon={<IconChecklist size={22} stroke={1.75} />}
      title="Plan the work, for people and agents"
      action={
        mayWrite && (
          <Button look="primary" icon={<IconPlus size={16} />} onClick={() => openCreate()}>
            New work order <Kbd keys="c" onAccent />
          </Button>
        )
      }
      command={`curl ${location.origin}/v2/external-api/work_orders/batch_create \\\n  -H "X-API-Key: $SLIPWAY_KEY" -H "Content-Type: application/json" \\\n  -d '${body}'`}
    >
      A work order says what to do, who does it and when it is done. It points to the requirements and blueprints it
      serves.
    </EmptyState>
  )
}
