import type { Change } from '@slipway/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { cx } from '../lib/cx.ts'
import { ActorMark } from '../people/ActorMark.tsx'
import { IconChevronDown } from '../ui/icons.ts'
import { SectionHead } from '../ui/SectionHead.tsx'
import { activityQuery } from './api.ts'
import { type Describe, type Entry, entriesOf, type Said } from './entries.ts'
import { Happening } from './Happening.tsx'
import css from './Timeline.module.css'

interface Props<S extends Said> {
  projectId: string
  /** What it happened to. */
  subjectId: string
  describe: Describe
  /** What happened without a change of it. */
  also?: Extract<Entry<S>, { kind: 'change' }> | undefined
  /** Undefined where comments stand elsewhere, or while they are read. */
  comments?: S[] | undefined
  drawComment?(comment: S, actor: Change['actor']): ReactNode
  /** What stands below, as `TimelineItem`s, once everything above it is there. */
  children?: ReactNode
}

/** More than this many are folded, but for the first and the last few. */
const MOST_SHOWN = 14
const LAST_SHOWN = 10

/** What people, agents and keys did and said, in one line of time. */
export function Timeline<S extends Said>(props: Props<S>) {
  const { projectId, subjectId, describe, also, comments, drawComment, children } = props
  const [onlyComments, setOnlyComments] = useState(false)
  const [isUnfolded, setIsUnfolded] = useState(false)
  const { data, isLoading, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    activityQuery(projectId, subjectId),
  )
  const entries = useMemo(() => {
    const changes = data?.pages.flatMap(({ items }) => items) ?? []
    const read = entriesOf(comments ?? [], changes, !hasNextPage || onlyComments, describe)
    const after = also ? read.findIndex(({ at }) => at > also.at) : -1
    const all = also ? read.toSpliced(after < 0 ? read.length : after, 0, also) : read
    return onlyComments ? all.filter(({ kind }) => kind === 'comment') : all
  }, [comments, data, hasNextPage, onlyComments, describe, also])
  const hidden = !isUnfolded && entries.length > MOST_SHOWN ? entries.slice(1, -LAST_SHOWN) : []
  const part = (name: string, value: boolean) => (
    <button
      type="button"
      aria-pressed={onlyComments === value}
      className={cx(css.part, onlyComments === value && css.current)}
      onClick={() => setOnlyComments(value)}
    >
      {name}
    </button>
  )
  const line = (entry: Entry<S>) =>
    entry.kind === 'comment' ? (
      <TimelineItem key={entry.id}>{drawComment?.(entry.comment, entry.actor)}</TimelineItem>
    ) : (
      <li key={entry.id} className={css.line}>
        <ActorMark actor={entry.actor} />
        <p>
          <Happening {...entry} />
        </p>
      </li>
    )
  return (
    <section aria-label="Activity">
      <SectionHead title="Activity">
        {drawComment && (
          <span className={css.parts}>
            {part('All', false)}
            {part(`Comments ${comments?.length ?? ''}`, true)}
          </span>
        )}
      </SectionHead>
      <ol className={css.list}>
        {hasNextPage && !onlyComments && (
          <More isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show earlier activity
          </More>
        )}
        {hidden.length > 0 ? (
          <>
            {line(entries[0]!)}
            <More onClick={() => setIsUnfolded(true)}>{countOf(hidden)}</More>
            {entries.slice(-LAST_SHOWN).map(line)}
          </>
        ) : (
          entries.map(line)
        )}
        {/* Otherwise it would move away from under the pointer when what stands above it arrives. */}
        {!isLoading && children}
      </ol>
    </section>
  )
}

export const TimelineItem = ({ children }: { children: ReactNode }) => <li className={css.item}>{children}</li>

function More({ isBusy, onClick, children }: { isBusy?: boolean; onClick(): void; children: ReactNode }) {
  return (
    <li className={css.more}>
      <button type="button" disabled={isBusy} onClick={onClick}>
        <IconChevronDown size={14} stroke={1.75} /> {children}
      </button>
    </li>
  )
}

function countOf(hidden: { kind: 'comment' | 'change' }[]): string {
  const said = hidden.filter(({ kind }) => kind === 'comment').length
  if (said === hidden.length) return `${said} earlier comments`
  return `${hidden.length} earlier${said > 0 ? `, ${said} of them comments` : ''}`
}
