import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { countOf } from '../../lib/numbers.ts'
import { useRememberedSet } from '../../lib/use-remembered-set.ts'
import { Button } from '../../ui/Button.tsx'
import { IconArrowsSplit, IconPlus, IconStack2 } from '../../ui/icons.ts'
import { splitSuggestionQuery, type ThemeRow } from './api.ts'
import { openThemeDialog } from './dialogs.ts'
import css from './SplitBanner.module.css'

interface Props {
  row: ThemeRow
  projectId: string
  onDone(): void
}

/** What triage would split off, if the theme were its own. Nothing is split without a person. */
export function SplitBanner({ row, projectId, onDone }: Props) {
  const [later, setLater] = useRememberedSet('slipway.split-later')
  const found = useQuery(splitSuggestionQuery(projectId, row)).data
  if (!found || later.has(row.id)) return null
  const itemIds = found.feedback_item_ids
  return (
    <section className={css.suggestion} aria-label="Suggestion">
      <IconArrowsSplit size={17} stroke={1.75} className={css.sign} />
      <p>
        <strong>
          {countOf(itemIds.length, 'quote')} {itemIds.length === 1 ? 'speaks' : 'speak'} of “{found.title}” only. Split?
        </strong>{' '}
        Nothing is split without you.
      </p>
      <Button look="quiet" onClick={() => setLater(new Set(later).add(row.id))}>
        Not now
      </Button>
      <Button
        look="primary"
        onClick={() => openThemeDialog({ kind: 'split', row, itemIds, title: found.title, onDone })}
      >
        Split
      </Button>
      <ul className={css.parts}>
        <Part
          sign={<IconStack2 size={15} stroke={1.75} />}
          title={row.title}
          count={row.quote_count - itemIds.length}
        />
        <Part sign={<IconPlus size={15} stroke={2} />} title={found.title} count={itemIds.length} />
      </ul>
    </section>
  )
}

const Part = ({ sign, title, count }: { sign: ReactNode; title: string; count: number }) => (
  <li>
    {sign}
    <strong dir="auto">{title}</strong>
    <span>{countOf(count, 'quote')}</span>
  </li>
)
