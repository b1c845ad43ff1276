import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useRouteContext, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import { PHONE, useWidth } from '../../lib/breakpoints.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { IconChevronLeft, IconHistory } from '../../ui/icons.ts'
import { LoadFault } from '../../ui/LoadFault.tsx'
import { TopBar } from '../../ui/TopBar.tsx'
import { Toolbar } from '../../ui/toolbar/Toolbar.tsx'
import { type Run, rowsQuery, runQuery, runsQuery } from '../api.ts'
import { RunTime } from '../RunTime.tsx'
import { RunDetail } from './RunDetail.tsx'
import { RunFilters } from './RunFilters.tsx'
import { RunList } from './RunList.tsx'
import css from './RunsPage.module.css'
import { RunTools } from './RunTools.tsx'

/** The runs of the project, or of some automations, and the one that is open. */
export function RunsPage() {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const search = useSearch({ from: '/signed-in/p/$projectId/runs' })
  const { runId } = useParams({ strict: false })
  const isPhone = useWidth(PHONE)
  const navigate = useNavigate()
  const list = useInfiniteQuery(runsQuery(project.id, search))
  const rows = useMemo(() => withoutRepeated(list.data?.pages.flatMap(({ items }) => items)), [list.data])
  const { data: run, error, refetch } = useQuery({ ...runQuery(project.id, runId ?? ''), enabled: runId !== undefined })
  const automations = useQuery(rowsQuery(project.id)).data?.items
  const only = automations?.find(({ id }) => id === search.automation)
  usePageTitle(run ? `${run.automation.name} · run` : `Runs · ${project.name}`)
  const open = (id: string, replace = false) =>
    void navigate({
      to: '/p/$projectId/automations/runs/$runId',
      params: { projectId: project.id, runId: id },
      search,
      replace,
    })
  // The first one gets an address of its own, so that it stays open when the list changes.
  const first = isPhone || runId !== undefined ? undefined : rows?.[0]?.id
  useEffect(() => {
    if (first !== undefined) open(first, true)
  })
  const isDetail = isPhone && runId !== undefined
  const isEmpty = rows?.length === 0 && runId === undefined
  const shown = runId === undefined ? undefined : run
  return (
    <>
      <TopBar
        path={
          <span className={css.path}>
            {isDetail && (
              <Link
                to="/p/$projectId/automations/runs"
                params={{ projectId: project.id }}
                search={search}
                className={css.back}
                aria-label="Back to the runs"
              >
                <IconChevronLeft size={18} stroke={1.75} />
              </Link>
            )}
            <span className={css.wide}>
              {project.name} /{' '}
              <Link to="/p/$projectId/automations" params={{ projectId: project.id }}>
                Automations
              </Link>{' '}
              /{' '}
            </span>
            {shown ? (
              <>
                <Link
                  to="/p/$projectId/automations/$automationId"
                  params={{ projectId: project.id, automationId: shown.automation.id }}
                >
                  {shown.automation.name}
                </Link>{' '}
                /{' '}
                <strong>
                  <RunTime at={shown.started_at ?? shown.created_at} />
                </strong>
              </>
            ) : (
              <strong>{only ? `Runs of ${only.name}` : 'Runs'}</strong>
            )}
          </span>
        }
        {...(!isDetail && { title: 'Runs' })}
      >
        {shown && <RunTools run={shown} projectId={project.id} />}
      </TopBar>
      {!shown && <h1 className="sr-only">Runs</h1>}
      {!isDetail && (
        <Toolbar>
          <RunFilters total={list.data?.pages[0]?.total ?? undefined} automations={automations ?? []} />
        </Toolbar>
      )}
      <div className={css.page}>
        {isEmpty && (
          <div className={css.empty}>
            <Nothing isFiltered={Object.keys(search).length > 0} />
          </div>
        )}
        {!isDetail && !isEmpty && (
          <div className={css.list}>
            {list.error && !rows ? (
              <LoadFault what="The runs" error={list.error} onRetry={list.refetch} />
            ) : (
              <RunList
                projectId={project.id}
                rows={rows}
                search={search}
                openId={runId}
                withNames={only === undefined}
                onOpen={open}
                onEnd={() => {
                  if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage()
                }}
              />
            )}
          </div>
        )}
        {error && !shown ? (
          <LoadFault what="The run" error={error} onRetry={refetch} />
        ) : (
          shown && <RunDetail key={shown.id} run={shown} projectId={project.id} />
        )}
      </div>
    </>
  )
}

/** A run that began between two pages stands on both. */
const withoutRepeated = (rows: Run[] | undefined) => rows && [...new Map(rows.map((row) => [row.id, row])).values()]

const Nothing = ({ isFiltered }: { isFiltered: boolean }) => (
  <EmptyState
    icon={<IconHistory size={22} stroke={1.75} />}
    title={isFiltered ? 'No run matches' : 'Nothing has run yet'}
    action={
      isFiltered ? (
        <Link to="." search={{}} className={css.clear}>
          Show all runs
        </Link>
      ) : undefined
    }
    {...(!isFiltered && {
      command: `curl -X POST ${location.origin}/v2/external-api/automations/$ID/runs \\\n  -H "X-API-Key: $SLIPWAY_KEY"`,
    })}
  >
    {isFiltered
      ? 'No run has this status and these filters.'
      : 'Each run of an automation is kept here, with what it was asked, what it did and what it cost.'}
  </EmptyState>
)
