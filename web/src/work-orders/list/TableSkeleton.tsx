import { cx } from '../../lib/cx.ts'
import css from './Table.module.css'

const GROUPS = [
  { name: 74, rows: [238, 216, 190] },
  { name: 60, rows: [286, 164, 204, 240] },
]

/** Rows in their final geometry, shown if loading takes a moment. */
export function TableSkeleton() {
  return (
    <div className={css.late} aria-busy="true" role="status">
      <span className="sr-only">Loading work orders</span>
      {GROUPS.map(({ name, rows }) => (
        <div key={name}>
          <div className={cx(css.skeleton, css.skeletonHead)}>
            <span className={cx(css.bone, css.round)} />
            <span className={css.bone} style={{ width: name }} />
          </div>
          {rows.map((width) => (
            <div key={width} className={css.skeleton}>
              <span className={css.bone} style={{ width: 14, height: 14, borderRadius: 4 }} />
              <span className={css.bone} style={{ width: 46 }} />
              <span className={cx(css.bone, css.round)} />
              <span className={css.bone} style={{ width }} />
              <span style={{ flex: 1 }} />
              <span className={cx(css.bone, css.pill)} style={{ width: 64 }} />
              <span className={css.bone} style={{ width: 42 }} />
              <span className={cx(css.bone, css.round)} style={{ width: 20, height: 20 }} />
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}
