import { LoadFault } from '../ui/LoadFault.tsx'
import css from './Settings.module.css'

/** In the place of rows that are being loaded, or could not be. */
export function PendingRows({ query }: { query: { error: Error | null; refetch(): unknown } }) {
  if (query.error)
    return (
      <tr>
        <td colSpan={6}>
          <LoadFault what="This" error={query.error} onRetry={query.refetch} />
        </td>
      </tr>
    )
  return [42, 56, 48].map((width) => (
    <tr key={width} className={css.late} aria-hidden>
      <td colSpan={6}>
        <div className={css.bone} style={{ width: `${width}%` }} />
      </td>
    </tr>
  ))
}
