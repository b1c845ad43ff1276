import type { ReactNode } from 'react'
import { sizeOf } from '../../lib/uploads/files.ts'
import { Button } from '../../ui/Button.tsx'
import { IconDownload } from '../../ui/icons.ts'
import { KindIcon } from '../KindIcon.tsx'
import type { ShownFile } from './file.ts'
import css from './Preview.module.css'

/** For what cannot be shown. */
export function NoPreview({ file, children }: { file: ShownFile; children?: ReactNode }) {
  const download = () => {
    const link = document.createElement('a')
    link.href = file.address
    link.download = file.name
    link.click()
  }
  return (
    <div className={css.none}>
      <KindIcon kind={file.kind} name={file.name} size={44} />
      <p>{children ?? 'There is no preview of this kind of file.'}</p>
      <Button icon={<IconDownload size={16} stroke={1.75} />} onClick={download}>
        Download · {sizeOf(file.sizeBytes)}
      </Button>
    </div>
  )
}
