import { cx } from '../../lib/cx.ts'
import css from './Table.module.css'

const GROUPS = [
  { name: 74, rows: [238, 216, 190] },
  { name: 60, rows: [286, 164, 204, 240] },
]
const COLUMNS = [5, 4, 3, 2]

/** Rows or cards in their final geometry, shown if loading takes a moment. */
export function WorkOrdersSkeleton({ view }: { view: 'board' | 'phases' | undefined }) {
  return (
    <div className={cx(css.late, view === 'board' && css.columns)} aria-busy="true" role="status">
      <span className="sr-only">Loading work orders</span>
      {view === 'board'
        ? COLUMNS.map((cards) => <Column key={cards} cards={cards} />)
        : GROUPS.map(({ name, rows }) => (
            <div key={name} className={cx(view === 'phases' && css.lane)}>
              <Head width={name} />
              {rows.map((width) => (
                <RowBones key={width} width={width} />
              ))}
            </div>
          ))}
    </div>
  )
}

const Head = ({ width }: { width: number }) => (
  <div className={cx(css.skeleton, css.skeletonHead)}>
    <span className={cx(css.bone, css.round)} />
    <span className={css.bone} style={{ width }} />
  </div>
)

const RowBones = ({ width }: { width: number }) => (
  <div className={css.skeleton}>
    <span className={cx(css.bone, css.wide)} style={{ width: 14, height: 14, borderRadius: 'var(--radius-sm)' }} />
    <span className={cx(css.bone, css.wide)} style={{ width: 46 }} />
    <span className={cx(css.bone, css.round)} />
    <span className={css.bone} style={{ width }} />
    <span style={{ flex: 1 }} />
    <span className={cx(css.bone, css.pill, css.wide)} style={{ width: 64 }} />
    <span className={cx(css.bone, css.wide)} style={{ width: 42 }} />
    <span className={cx(css.bone, css.round)} style={{ width: 20, height: 20 }} />
  </div>
)

const Column = ({ cards }: { cards: number }) => (
  <div className={css.column}>
    <Head width={60} />
    {Array.from({ length: cards }, (_, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
      <div key={at} className={css.card}>
        <span className={css.bone} style={{ width: 60 }} />
        <span className={css.bone} style={{ width: '82%' }} />
        <span className={cx(css.bone, css.pill)} style={{ width: 74 }} />
      </div>
    ))}
  </div>
)
