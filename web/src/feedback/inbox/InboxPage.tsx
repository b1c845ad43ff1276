import { hashKey, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useRouteContext, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import { PHONE, useWidth } from '../../lib/breakpoints.ts'
import { useMayWrite } from '../../lib/may-write.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { remember, remembered } from '../../lib/storage.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { IconPlus } from '../../ui/icons.ts'
import { LoadFault } from '../../ui/LoadFault.tsx'
import { TopBar } from '../../ui/TopBar.tsx'
import { inboxQuery, reportQuery } from './api.ts'
import { EmptyInbox } from './EmptyInbox.tsx'
import css from './InboxPage.module.css'
import { InboxToolbar } from './InboxToolbar.tsx'
import { ItemList } from './list/ItemList.tsx'
import { openByHand } from './open-dialogs.ts'
import { keepBeginning } from './read-rows.ts'
import { Report } from './report/Report.tsx'
import { useDecisions } from './use-decisions.ts'

const ADVANCE = 'inbox-advance'

/** What people reported: the list, the open report, and what helps to decide about it. */
export function InboxPage() {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const search = useSearch({ from: '/signed-in/p/$projectId/inbox' })
  const { number } = useParams({ strict: false })
  const isPhone = useWidth(PHONE)
  const mayWrite = useMayWrite()
  const navigate = useNavigate()
  const [advances, setAdvances] = useState(() => remembered(ADVANCE) !== 'off')
  const query = inboxQuery(project.id, search)
  const list = useInfiniteQuery(query)
  const queryHash = hashKey(query.queryKey)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the hash stands for the key, which is a new object each time.
  useEffect(() => () => keepBeginning(query.queryKey), [queryHash])
  const rows = useMemo(() => list.data?.pages.flatMap(({ items }) => items), [list.data])
  const openNumber = number === undefined ? undefined : Number(number)
  const {
    data: report,
    error,
    refetch,
  } = useQuery({
    ...reportQuery(project.id, openNumber ?? 0),
    enabled: openNumber !== undefined,
  })
  const page = useRef<HTMLDivElement>(null)
  const decisions = useDecisions({
    projectId: project.id,
    report,
    rows: rows ?? [],
    mayWrite,
    advances,
    anchor: () => page.current?.querySelector('[data-decision="link"]') ?? page.current,
  })
  usePageTitle(report ? `${report.display_id} ${report.title}` : `Feedback · ${project.name}`)
  useEffect(() => void remember(ADVANCE, advances ? undefined : 'off'), [advances])
  // The first one gets an address of its own, so that it stays open when a decision takes it out of the list.
  const first = isPhone || openNumber !== undefined ? undefined : rows?.[0]?.number
  const { open } = decisions
  useEffect(() => {
    if (first !== undefined) open(first)
  })
  if (list.error && !rows) throw list.error
  const back = () => void navigate({ to: '/p/$projectId/feedback', params: { projectId: project.id }, search })
  const isReport = isPhone && openNumber !== undefined
  const shown = openNumber === undefined ? undefined : report
  const place = rows?.findIndex((row) => row.number === openNumber) ?? -1
  return (
    <>
      {!isReport && (
        <TopBar
          path={
            <>
              {project.name} / <strong>Feedback</strong>
            </>
          }
          title="Feedback"
        >
          {mayWrite && !isPhone && (
            <Button icon={<IconPlus size={16} />} onClick={openByHand}>
              Add by hand
            </Button>
          )}
          {mayWrite && isPhone && (
            <IconButton label="Add by hand" onClick={openByHand}>
              <IconPlus size={20} stroke={1.75} />
            </IconButton>
          )}
        </TopBar>
      )}
      <h1 className="sr-only">Feedback</h1>
      {!isReport && <InboxToolbar total={list.data?.pages[0]?.total} advances={advances} onAdvances={setAdvances} />}
      <div ref={page} className={css.page}>
        {!isReport && (
          <div className={rows?.length === 0 && !shown ? css.alone : css.list}>
            {rows?.length === 0 ? (
              <EmptyInbox />
            ) : (
              <ItemList
                projectId={project.id}
                rows={rows}
                openNumber={openNumber}
                onOpen={decisions.open}
                onEnd={() => {
                  if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage()
                }}
              />
            )}
          </div>
        )}
        {error && !shown ? (
          <LoadFault what={`FB-${openNumber}`} error={error} onRetry={refetch} />
        ) : (
          shown && (
            <Report
              key={shown.id}
              projectId={project.id}
              report={shown}
              decisions={decisions}
              mayWrite={mayWrite}
              isPhone={isPhone}
              place={place}
              total={list.data?.pages[0]?.total ?? 0}
              onBack={back}
            />
          )
        )}
      </div>
    </>
  )
}
