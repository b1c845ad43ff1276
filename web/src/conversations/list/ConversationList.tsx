import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type MouseEvent, memo, useMemo, useRef } from 'react'
import { SlipwayError } from '../../lib/client.ts'
import { cx } from '../../lib/cx.ts'
import { leaving } from '../../lib/delete-with-undo.ts'
import { inWords } from '../../lib/kinds.ts'
import { countOf } from '../../lib/numbers.ts'
import { useShortcut } from '../../lib/shortcuts.ts'
import { useStore } from '../../lib/store.ts'
import { clockOf, dayOf } from '../../lib/time.ts'
import { ActorMark } from '../../people/ActorMark.tsx'
import { Avatar } from '../../people/Avatar.tsx'
import { GroupedList } from '../../ui/list/GroupedList.tsx'
import { GridCell, GridRow } from '../../ui/list/grid.tsx'
import type { ListHandle } from '../../ui/list/use-cursor.ts'
import { type Row, rowsQuery } from '../api.ts'
import type { ConversationSearch } from '../search.ts'
import css from './ConversationList.module.css'

interface Props {
  projectId: string
  search: ConversationSearch
  openId: string | undefined
  onOpen(id: string): void
}

const ROW_PX = 54
const HEAD_PX = 31
const NONE: ReadonlySet<string> = new Set()

/** Conversations by day, the last changed first. The keys go through them; what they are at is open. */
export function ConversationList({ projectId, search, openId, onOpen }: Props) {
  const list = useInfiniteQuery(rowsQuery(projectId, search))
  const gone = useStore(leaving)
  const handle = useRef<ListHandle>(null)
  const wantsFocus = useRef(false)
  const rows = useMemo(
    () => list.data?.pages.flatMap(({ items }) => items).filter(({ id }) => !gone.has(id)),
    [list.data, gone],
  )
  const groups = useMemo(() => daysOf(rows ?? []), [rows])
  const step = (by: number) => {
    const at = rows?.findIndex(({ id }) => id === openId) ?? -1
    const next = rows?.[Math.max(0, Math.min(rows.length - 1, at + by))]
    if (!next) return
    wantsFocus.current = true
    onOpen(next.id)
  }
  useShortcut('next', () => step(1))
  useShortcut('previous', () => step(-1))
  const click = (event: MouseEvent) => {
    const id = (event.target as Element).closest<HTMLElement>('[data-row]')?.dataset.row
    if (!id || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return
    event.preventDefault()
    onOpen(id)
  }
  if (list.error && !rows)
    return (
      <p className={css.none} role="alert">
        {list.error instanceof SlipwayError ? list.error.message : 'The conversations could not be loaded.'}{' '}
        <button type="button" onClick={() => void list.refetch()}>
          Try again
        </button>
      </p>
    )
  if (!rows) return <div className={css.none} aria-busy="true" />
  if (rows.length === 0)
    return <p className={css.none}>{search.q ? `Nothing matches “${search.q}”.` : 'No conversations yet.'}</p>
  return (
    <GroupedList
      label="Conversations"
      groups={groups}
      folded={NONE}
      cursor={{ focusedId: openId, wantsFocus }}
      handle={handle}
      rowPx={ROW_PX}
      headPx={HEAD_PX}
      head={({ name }) => <div className={css.head}>{name}</div>}
      row={(row, place) => <RowView row={row as Row} projectId={projectId} place={place} isOpen={row.id === openId} />}
      onClick={click}
      onEnd={() => {
        if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage()
      }}
    />
  )
}

interface RowProps {
  row: Row
  projectId: string
  place: number
  isOpen: boolean
}

const RowView = memo(function RowView({ row, projectId, place, isOpen }: RowProps) {
  const { automation, owner } = row
  return (
    <GridRow
      id={row.id}
      place={place}
      isFocused={isOpen}
      isSelected={isOpen}
      className={cx(css.row, isOpen && css.open)}
    >
      <GridCell className={css.sign}>
        {automation ? (
          <ActorMark
            actor={{
              type: 'automation',
              id: automation.automation_id,
              name: automation.automation_name,
              on_behalf_of: null,
            }}
          />
        ) : (
          <Avatar person={{ ...owner, email: '' }} />
        )}
      </GridCell>
      <GridCell className={css.title}>
        <Link
          to="/p/$projectId/conversations/$conversationId"
          params={{ projectId, conversationId: row.id }}
          search={true}
          tabIndex={-1}
          dir="auto"
        >
          {row.title}
        </Link>
      </GridCell>
      <GridCell className={css.detail}>
        <span className={cx(row.is_active && css.active)}>{detailOf(row)}</span>
        <time dateTime={row.updated_at}>
          {dayOf(row.updated_at) === 'Today' ? clockOf(Date.parse(row.updated_at)) : dayOf(row.updated_at)}
        </time>
      </GridCell>
    </GridRow>
  )
})

function detailOf({ is_active, automation, message_count, shared, is_own, owner }: Row): string {
  if (is_active) return 'answering…'
  if (automation) return `${automation.automation_name} · ${inWords(automation.run_status ?? 'ended').toLowerCase()}`
  const messages = countOf(message_count, 'message')
  if (!is_own) return `${owner.name} · ${messages}`
  return shared ? `${messages} · shared` : messages
}

interface Day {
  key: string
  name: string
  rows: Row[]
}

function daysOf(rows: Row[]): Day[] {
  const days: Day[] = []
  for (const row of rows) {
    const name = dayOf(row.updated_at)
    if (days.at(-1)?.name !== name) days.push({ key: name, name, rows: [] })
    days.at(-1)!.rows.push(row)
  }
  return days
}
