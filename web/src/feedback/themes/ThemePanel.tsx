import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMayWrite } from '../../lib/may-write.ts'
import { formatCount } from '../../lib/numbers.ts'
import { BesidePanel } from '../../ui/BesidePanel.tsx'
import { type ThemeRow, themeQuery } from './api.ts'
import { CreateWorkOrder } from './CreateWorkOrder.tsx'
import { LinkedList } from './LinkedList.tsx'
import { QuoteList } from './QuoteList.tsx'
import css from './ThemeDetail.module.css'
import { ThemeFigures } from './ThemeFigures.tsx'
import { ThemeMenu } from './ThemeMenu.tsx'
import { ThemeProperties } from './ThemeProperties.tsx'
import { numberOf } from './theme.ts'

interface Props {
  number: number
  projectId: string
  /** The themes of the list, in the order in which it shows them. */
  rows: ThemeRow[]
  isWhole: boolean
}

/** A theme beside the list that it was opened from. */
export function ThemePanel({ number, projectId, rows, isWhole }: Props) {
  const navigate = useNavigate()
  const mayWrite = useMayWrite()
  const listed = rows.find((one) => numberOf(one) === String(number))
  // The list shows everything of it, so only what is not listed is read.
  const found = useQuery({ ...themeQuery(projectId, number), enabled: !listed }).data
  const row = listed ?? found
  const go = (beside: string | undefined) =>
    void navigate({ to: '.', search: (old) => ({ ...old, beside }), replace: true })
  return (
    <BesidePanel
      name={`TH-${number}`}
      path={`/p/${projectId}/feedback/themes/${number}`}
      order={rows.map(numberOf)}
      isWhole={isWhole}
      isSmall
      id={String(number)}
      onGo={go}
      onOpenPage={() =>
        void navigate({
          to: '/p/$projectId/feedback/themes/$number',
          params: { projectId, number: String(number) },
        })
      }
      onClose={() => go(undefined)}
      tools={row && mayWrite && <ThemeMenu row={row} projectId={projectId} onGone={() => go(undefined)} />}
    >
      <div className={css.panel}>
        {row && (
          <>
            <h2 className={css.panelTitle} dir="auto">
              {row.title}
            </h2>
            {row.description && <p className={css.description}>{row.description}</p>}
            <ThemeProperties row={row} projectId={projectId} />
            <ThemeFigures row={row} />
            {mayWrite && (
              <div className={css.actions}>
                <CreateWorkOrder row={row} projectId={projectId} />
              </div>
            )}
            <LinkedList row={row} projectId={projectId} />
            <section aria-label="Quotes" className={css.part}>
              <h2 className={css.partHead}>
                <span>
                  Quotes <span className={css.total}>{formatCount(row.quote_count)}</span>
                </span>
                <span>Newest first</span>
              </h2>
              <QuoteList key={row.id} row={row} projectId={projectId} />
            </section>
          </>
        )}
        {found === null && !listed && <p className={css.none}>There is no theme TH-{number}.</p>}
      </div>
    </BesidePanel>
  )
}
