import { useEffect, useMemo, useState } from 'react'
import { cx } from '../lib/cx.ts'
import { compareLines } from '../lib/differences.ts'
import { IconFoldDown } from '../ui/icons.ts'
import css from './Differences.module.css'

interface Props {
  old: string
  fresh: string
  layout: 'inline' | 'side'
  onCount(changes: number): void
}

interface Part {
  type: 'same' | 'changed'
  old: string[]
  fresh: string[]
  oldFrom: number
  freshFrom: number
}

const CONTEXT = 3

const linesOf = (text: string) => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))

function partsOf(old: string, fresh: string): Part[] {
  const parts: Part[] = []
  let [oldAt, freshAt] = [1, 1]
  for (const { value, added, removed } of compareLines(old, fresh)) {
    const lines = linesOf(value)
    const last = parts.at(-1)
    if (!added && !removed) {
      parts.push({ type: 'same', old: lines, fresh: lines, oldFrom: oldAt, freshFrom: freshAt })
      oldAt += lines.length
      freshAt += lines.length
    } else {
      const part =
        last?.type === 'changed'
          ? last
          : { type: 'changed' as const, old: [], fresh: [], oldFrom: oldAt, freshFrom: freshAt }
      if (part !== last) parts.push(part)
      if (removed) {
        part.old = part.old.concat(lines)
        oldAt += lines.length
      } else {
        part.fresh = part.fresh.concat(lines)
        freshAt += lines.length
      }
    }
  }
  return parts
}

/** What changed between two versions, line by line, as the text is stored. */
export function LineDifferences({ old, fresh, layout, onCount }: Props) {
  const parts = useMemo(() => partsOf(old, fresh), [old, fresh])
  const count = parts.filter(({ type }) => type === 'changed').length
  useEffect(() => void onCount(count), [count, onCount])
  if (count === 0) return <p className={css.none}>These two versions have the same text.</p>
  return (
    <div className={css.lines} data-layout={layout}>
      {parts.map((part, at) =>
        part.type === 'same' ? (
          <Same key={part.freshFrom} part={part} layout={layout} isFirst={at === 0} isLast={at === parts.length - 1} />
        ) : layout === 'inline' ? (
          <div key={`${part.oldFrom} ${part.freshFrom}`} data-difference>
            <Lines lines={part.old} from={part.oldFrom} sign="−" look={css.old} />
            <Lines lines={part.fresh} from={part.freshFrom} sign="+" look={css.fresh} />
          </div>
        ) : (
          <div key={`${part.oldFrom} ${part.freshFrom}`} data-difference className={css.pair}>
            <div>
              <Lines lines={part.old} from={part.oldFrom} sign="−" look={css.old} />
            </div>
            <div>
              <Lines lines={part.fresh} from={part.freshFrom} sign="+" look={css.fresh} />
            </div>
          </div>
        ),
      )}
    </div>
  )
}

interface SameProps {
  part: Part
  layout: 'inline' | 'side'
  isFirst: boolean
  isLast: boolean
}

function Same({ part, layout, isFirst, isLast }: SameProps) {
  const [isOpen, setOpen] = useState(false)
  const { fresh, freshFrom } = part
  const head = isFirst ? 0 : CONTEXT
  const tail = isLast ? 0 : CONTEXT
  const hidden = fresh.length - head - tail
  const show = (from: number, to: number) => {
    const lines = (start: number) => <Lines lines={fresh.slice(from, to)} from={start + from} sign=" " />
    if (layout === 'inline') return lines(freshFrom)
    return (
      <div className={css.pair}>
        <div>{lines(part.oldFrom)}</div>
        <div>{lines(freshFrom)}</div>
      </div>
    )
  }
  if (isOpen || hidden < 2) return show(0, fresh.length)
  return (
    <>
      {show(0, head)}
      <button type="button" className={css.fold} onClick={() => setOpen(true)}>
        <IconFoldDown size={15} stroke={1.75} />
        {hidden} lines unchanged
      </button>
      {show(fresh.length - tail, fresh.length)}
    </>
  )
}

interface LinesProps {
  lines: string[]
  from: number
  sign: string
  look?: string | undefined
}

function Lines({ lines, from, sign, look }: LinesProps) {
  return lines.map((line, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: it is the number of the line
    <div key={from + at} className={cx(css.plain, look)}>
      <span className={css.number}>{from + at}</span>
      <span className={css.sign}>{sign}</span>
      <span>{line}</span>
    </div>
  ))
}
