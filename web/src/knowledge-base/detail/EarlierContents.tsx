import { useQuery } from '@tanstack/react-query'
import { useMayWrite } from '../../lib/may-write.ts'
import { sizeOf } from '../../lib/uploads/files.ts'
import { Button } from '../../ui/Button.tsx'
import { Time } from '../../ui/Time.tsx'
import type { Row } from '../artifact.ts'
import { earlierQuery, restoreContent } from '../earlier-contents.ts'
import css from './Detail.module.css'

/** What a file had before its content was replaced. Nothing if it was not, or longer than 30 days ago. */
export function EarlierContents({ projectId, row }: { projectId: string; row: Row }) {
  const earlier = useQuery({ ...earlierQuery(projectId, row.id), enabled: row.type === 'file' }).data ?? []
  const mayWrite = useMayWrite()
  if (earlier.length === 0) return null
  return (
    <section className={css.part} aria-label="Earlier contents">
      <h2 className={css.head}>Earlier contents {earlier.length}</h2>
      <ul className={css.uses}>
        {earlier.map((one) => (
          <li key={one.id} className={css.earlier}>
            <span className={css.title}>
              {one.deleted_by}, <Time at={one.deleted_at} />
            </span>
            <span className={css.where}>{sizeOf(one.size_bytes ?? 0)}</span>
            {mayWrite && <Button onClick={() => restoreContent(projectId, row, one.id)}>Restore</Button>}
          </li>
        ))}
      </ul>
    </section>
  )
}
