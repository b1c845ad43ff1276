import type { BlockTree } from '@slipway/server/markdown/reading'
import { useEffect, useMemo, useState } from 'react'
import type { Change, CodeLine } from '../editor/comparing/compare.ts'
import type { Block } from '../editor/comparing/merge-words.ts'
import { cx } from '../lib/cx.ts'
import { ActorMarks } from '../people/ActorMarks.tsx'
import { useAgents } from '../people/Avatar.tsx'
import { IconFoldDown } from '../ui/icons.ts'
import { authorsOf } from './authors.ts'
import { Blocks } from './Blocks.tsx'
import css from './Differences.module.css'
import type { HistoryEntry } from './entry.ts'

/** Unchanged blocks that stay visible before and after a change. */
const CONTEXT = 1

interface Props {
  changes: Change[]
  /** Who wrote each of them. */
  writers: (HistoryEntry | undefined)[] | undefined
  /** Both versions, for the links that are defined elsewhere in them. */
  trees: { old: BlockTree; fresh: BlockTree }
  layout: 'inline' | 'side'
  onCount(changes: number): void
}

export function Differences({ changes, writers, trees, layout, onCount }: Props) {
  const count = changes.filter(({ type }) => type === 'changed').length
  useEffect(() => void onCount(count), [count, onCount])
  if (count === 0) return <p className={css.none}>These two versions have the same text.</p>
  return changes.map((change, at) =>
    change.type === 'same' ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the list is never reordered
      <Unchanged key={at} {...change} within={trees.fresh} isFirst={at === 0} isLast={at === changes.length - 1} />
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the list is never reordered
      <div key={at} className={css.change} data-difference>
        {writers?.[at] && <Writer version={writers[at]} />}
        {change.suggested && (
          <small className={css.suggested}>{change.suggested === 'now' ? 'Suggested' : 'No longer suggested'}</small>
        )}
        {change.code ? (
          <Code lines={change.code} />
        ) : layout === 'inline' && change.inline ? (
          <One source={change.inline.source} within={trees.fresh} />
        ) : (
          <div className={cx(layout === 'side' && css.sides)}>
            <div className={cx(change.old && css.old)}>
              {change.oldSource !== undefined && <One source={change.oldSource} within={trees.old} />}
            </div>
            <div className={cx(change.fresh && css.fresh)}>
              {change.freshSource !== undefined && <One source={change.freshSource} within={trees.fresh} />}
            </div>
          </div>
        )}
      </div>
    ),
  )
}

/** Who wrote a change, and in which version. */
function Writer({ version }: { version: HistoryEntry }) {
  const agents = useAgents()
  const words = `Version ${version.version_number}, ${authorsOf(version, agents)}`
  const run = version.run_id ? `, run ${version.run_id}` : ''
  return (
    <span className={css.writer} role="img" aria-label={words} title={words + run}>
      <ActorMarks actors={version.authors} size={18} />
      <small>v{version.version_number}</small>
    </span>
  )
}

function One({ source, within }: { source: string; within: BlockTree }) {
  const sources = useMemo(() => [source], [source])
  return <Blocks sources={sources} within={within} />
}

interface UnchangedProps {
  blocks: Block[]
  within: BlockTree
  isFirst: boolean
  isLast: boolean
}

function Unchanged({ blocks, within, isFirst, isLast }: UnchangedProps) {
  const [isOpen, setOpen] = useState(false)
  const head = isFirst ? 0 : CONTEXT
  const tail = isLast ? 0 : CONTEXT
  const hidden = blocks.length - head - tail
  const shown = useMemo(() => {
    const all = blocks.map(({ source }) => source)
    return { all, head: all.slice(0, head), tail: tail === 0 ? [] : all.slice(-tail) }
  }, [blocks, head, tail])
  if (isOpen || hidden < 2) return <Blocks sources={shown.all} within={within} />
  return (
    <>
      <Blocks sources={shown.head} within={within} />
      <button type="button" className={css.fold} onClick={() => setOpen(true)}>
        <IconFoldDown size={15} stroke={1.75} />
        {hidden} blocks unchanged
      </button>
      <Blocks sources={shown.tail} within={within} />
    </>
  )
}

function Code({ lines }: { lines: CodeLine[] }) {
  return (
    <pre className={css.code}>
      {lines.map(({ sign, text }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are never reordered
        <div key={at} className={cx(sign === '+' && css.fresh, sign === '-' && css.old)}>
          {sign} {text}
        </div>
      ))}
    </pre>
  )
}
