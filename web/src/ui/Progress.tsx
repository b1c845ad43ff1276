import css from './Progress.module.css'

interface Props {
  /** What goes on: "Upload of plan.pdf". */
  label: string
  /** From 0 to 1, or nothing if it is not known. */
  share: number | undefined
  /** Instead of the percentage. */
  note?: string | undefined
}

/** How far something is. */
export const Progress = ({ label, share, note }: Props) => (
  <div className={css.progress}>
    <progress aria-label={label} {...(share !== undefined && { value: share })} max={1} />
    {(note ?? share) !== undefined && <span>{note ?? `${Math.floor(100 * share!)} %`}</span>}
  </div>
)
