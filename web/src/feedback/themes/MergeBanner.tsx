import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { countOf } from '../../lib/numbers.ts'
import { useRememberedSet } from '../../lib/use-remembered-set.ts'
import { Button } from '../../ui/Button.tsx'
import { IconArrowMerge } from '../../ui/icons.ts'
import { mergeSuggestionQuery, type ThemeRow } from './api.ts'
import { mergeTheme } from './regrouping.ts'
import css from './SplitBanner.module.css'
import { numberOf } from './theme.ts'

/** A theme that says the same, as triage reads them. The one with fewer quotes goes into the other. */
export function MergeBanner({ row, projectId }: { row: ThemeRow; projectId: string }) {
  const [later, setLater] = useRememberedSet('slipway.merge-later')
  const navigate = useNavigate()
  const found = useQuery(mergeSuggestionQuery(projectId, row)).data
  const other = found?.theme
  const pair = other && [row.id, other.id].sort().join(' ')
  if (!other || later.has(pair!)) return null
  const [from, into] = other.quote_count > row.quote_count ? [row, other] : [other, row]
  const merge = async () => {
    const outcome = await mergeTheme(projectId, { from, into, reason: found.reason })
    if (outcome.state === 'saved' && into.id === other.id)
      void navigate({ to: '/p/$projectId/feedback/themes/$number', params: { projectId, number: numberOf(other) } })
  }
  return (
    <section className={css.suggestion} aria-label="Suggestion to merge">
      <IconArrowMerge size={17} stroke={1.75} className={css.sign} />
      <p>
        <strong>
          <Link
            to="/p/$projectId/feedback/themes/$number"
            params={{ projectId, number: numberOf(other) }}
            className={css.link}
          >
            {other.display_id} “{other.title}”
          </Link>{' '}
          says the same. Merge {from.display_id} into {into.display_id}?
        </strong>{' '}
        {found.reason} It has {countOf(other.quote_count, 'quote')}.
      </p>
      <Button look="quiet" onClick={() => setLater(new Set(later).add(pair!))}>
        Not now
      </Button>
      <Button look="primary" onClick={() => void merge()}>
        Merge
      </Button>
    </section>
  )
}
