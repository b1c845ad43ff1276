import { cx } from '../lib/cx.ts'
import { sizeOf } from '../lib/uploads/files.ts'
import type { Upload, Uploads } from '../lib/uploads/uploads.ts'
import { IconButton } from './Button.tsx'
import { IconAlertTriangle, IconFileText, IconRefresh, IconX } from './icons.ts'
import css from './UploadList.module.css'

interface Props {
  uploads: Pick<Uploads, 'files' | 'retry' | 'remove'>
}

/** Files on their way, and those that are stored. */
export function UploadList({ uploads: { files, retry, remove } }: Props) {
  if (files.length === 0) return null
  return (
    <ul className={css.list} aria-label="Attached files">
      {files.map((one) => (
        <li key={one.key} className={cx(css.line, one.fault && css.failed)} aria-busy={!one.storedId && !one.fault}>
          {one.fault ? <IconAlertTriangle size={15} stroke={1.75} /> : <IconFileText size={15} stroke={1.75} />}
          <span className={css.name}>{one.name}</span>
          <span className={css.state}>{stateOf(one)}</span>
          {one.fault && (
            <IconButton label={`Retry ${one.name}`} small onClick={() => retry(one)}>
              <IconRefresh size={14} stroke={1.75} />
            </IconButton>
          )}
          <IconButton label={`Take ${one.name} off`} small onClick={() => remove(one)}>
            <IconX size={14} stroke={1.75} />
          </IconButton>
        </li>
      ))}
    </ul>
  )
}

function stateOf({ fault, storedId, sent, size }: Upload): string {
  if (fault) return `Not uploaded: ${fault}`
  if (storedId) return sizeOf(size)
  return sent > 0 && sent < 1 ? `Uploading… ${Math.round(sent * 100)} %` : 'Uploading…'
}
