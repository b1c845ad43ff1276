import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useCallback, useEffect, useRef } from 'react'
import { cx } from '../../lib/cx.ts'
import { IconChevronDown, IconChevronRight, IconFileText } from '../../ui/icons.ts'
import { piecesOf, shownPart } from './pattern.ts'
import type { Hit, ResultRow } from './results.ts'
import css from './SearchPage.module.css'

interface Props {
  rows: ResultRow[]
  pattern: RegExp | undefined
  chosen: string | undefined
  /** True while newer matches are on their way. */
  isStale: boolean
  onToggle(id: string): void
  onChoose(key: string): void
  onOpen(key: string): void
  foot: ReactNode
}

const HEIGHTS = { document: 40, line: 22, gap: 14 }

export function ResultList({ rows, pattern, chosen, isStale, onToggle, onChoose, onOpen, foot }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (at) => HEIGHTS[rows[at]!.type],
    getItemKey: useCallback((at: number) => rows[at]!.key, [rows]),
    overscan: 20,
  })
  const chosenAt = rows.findIndex((row) => row.key === chosen || (row.type === 'document' && `${row.key}.0` === chosen))
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when another line is chosen
  useEffect(() => {
    if (chosenAt > 0) virtual.scrollToIndex(chosenAt, { align: 'auto' })
  }, [chosen])
  return (
    <div ref={scroller} className={cx(css.results, isStale && css.stale)}>
      <div className={css.rows} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start, size }) => {
          const row = rows[index]!
          return (
            <div key={row.key} className={css.row} style={{ transform: `translateY(${start}px)`, height: size }}>
              {row.type === 'gap' ? (
                <span className={css.gap}>…</span>
              ) : row.type === 'document' ? (
                <DocumentRow
                  hit={row.hit}
                  isOpen={row.isOpen}
                  isChosen={`${row.key}.0` === chosen}
                  pattern={pattern}
                  onToggle={() => onToggle(row.key)}
                  onOpen={() => onOpen(`${row.key}.0`)}
                />
              ) : row.isMatch ? (
                <button
                  type="button"
                  className={cx(css.line, css.match)}
                  aria-current={row.key === chosen || undefined}
                  onClick={() => onChoose(row.key)}
                  onDoubleClick={() => onOpen(row.key)}
                >
                  <span className={css.number}>
                    <span className="sr-only">{row.hit.title}, line </span>
                    {row.number}
                  </span>
                  <span className={css.text}>
                    <Marked text={shownPart(row.text, pattern)} pattern={pattern} />
                  </span>
                </button>
              ) : (
                <div className={css.line}>
                  <span className={css.number}>{row.number}</span>
                  <span className={css.text}>{shownPart(row.text, undefined)}</span>
                </div>
              )}
            </div>
          )
        })}
      </div>
      <p className={css.foot}>{foot}</p>
    </div>
  )
}

interface DocumentProps {
  hit: Hit
  isOpen: boolean
  isChosen: boolean
  pattern: RegExp | undefined
  onToggle(): void
  onOpen(): void
}

function DocumentRow({ hit, isOpen, isChosen, pattern, onToggle, onOpen }: DocumentProps) {
  const { title, group, matches } = hit
  const inTitle = pattern ? piecesOf(title, pattern).some(({ isMatch }) => isMatch) : matches.length === 0
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  return (
    <div className={css.document} aria-current={isChosen || undefined}>
      <button
        type="button"
        className={css.twist}
        aria-label={`${isOpen ? 'Collapse' : 'Expand'} ${title}`}
        aria-expanded={isOpen}
        disabled={matches.length === 0}
        onClick={onToggle}
      >
        <Chevron size={14} stroke={1.75} />
      </button>
      <button type="button" className={css.title} onClick={onOpen}>
        <IconFileText size={15} stroke={1.75} />
        <strong>
          <Marked text={title} pattern={pattern} />
        </strong>
        <span className={css.group}>{group}</span>
      </button>
      <span className={css.count}>
        {inTitle ? (matches.length === 0 ? 'Title' : `Title and ${matches.length}`) : matches.length}
      </span>
    </div>
  )
}

function Marked({ text, pattern }: { text: string; pattern: RegExp | undefined }) {
  return piecesOf(text, pattern).map(({ text: piece, isMatch }, at) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other name
    isMatch ? <mark key={at}>{piece}</mark> : piece,
  )
}
