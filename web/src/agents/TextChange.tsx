import { useMemo } from 'react'
import { compareLines, compareWords } from '../lib/differences.ts'
import css from './TextChange.module.css'

/** Longer texts are compared by lines, of which only those that changed are shown. */
const BY_WORDS = 3_000

/** What a text was and what it became, in one: struck through where something is gone, underlined where it is new. */
export function TextChange({ before, after }: { before: string; after: string }) {
  const parts = useMemo(() => {
    if (before.length + after.length <= BY_WORDS) return compareWords(before, after)
    return compareLines(before, after).map((part) => (part.added || part.removed ? part : { ...part, value: '⋯\n' }))
  }, [before, after])
  return (
    <p className={css.change} dir="auto">
      {parts.map(({ value, added, removed }, at) => {
        const key = `${at} ${value.length}`
        if (added) return <ins key={key}>{value}</ins>
        return removed ? <del key={key}>{value}</del> : <span key={key}>{value}</span>
      })}
    </p>
  )
}
