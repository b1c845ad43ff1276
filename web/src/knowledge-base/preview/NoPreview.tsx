import type { ReactNode } from 'react'
import { sizeOf } from '../../lib/uploads/files.ts'
import { Button } from '../../ui/Button.tsx'
import { IconDownload } from '../../ui/icons.ts'
import type { Row } from '../artifact.ts'
import { download } from '../download.ts'
import { KindIcon } from '../KindIcon.tsx'
import css from './Preview.module.css'

/** For what cannot be shown. */
export function NoPreview({ projectId, row, children }: { projectId: string; row: Row; children?: ReactNode }) {
  return (
    <div className={css.none}>
      <KindIcon kind={row.kind} name={row.name} size={44} />
      <p>{children ?? 'There is no preview of this kind of file.'}</p>
      <Button icon={<IconDownload size={16} stroke={1.75} />} onClick={() => download(projectId, row)}>
        Download · {sizeOf(row.size_bytes ?? 0)}
      </Button>
    </div>
  )
}
