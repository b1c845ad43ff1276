import css from './TextSkeleton.module.css'

/** Lines in the place of a text, shown if loading takes a moment. */
export function TextSkeleton() {
  return (
    <div className={css.skeleton} aria-hidden>
      {[92, 78, 85, 40, 88, 64].map((width) => (
        <span key={width} style={{ width: `${width}%` }} />
      ))}
    </div>
  )
}
