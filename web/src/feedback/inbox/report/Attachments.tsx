import { SlipwayError } from '@slipway/sdk'
import * as api from '@slipway/sdk/resources'
import { useState } from 'react'
import { KindIcon } from '../../../artifacts/KindIcon.tsx'
import { kindOfFile } from '../../../artifacts/kinds.ts'
import { FilePreview, hasPreview } from '../../../artifacts/preview/FilePreview.tsx'
import type { ShownFile } from '../../../artifacts/preview/file.ts'
import { callOf } from '../../../lib/client.ts'
import { sizeOf } from '../../../lib/uploads/files.ts'
import { IconButton } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { IconArrowsMaximize, IconDownload } from '../../../ui/icons.ts'
import type { InboxReport } from '../api.ts'
import css from './Attachments.module.css'

type Attachment = InboxReport['attachments'][number]

/** The files of a report, shown in place as far as a browser can. Nothing in them is run. */
export function Attachments({ projectId, report }: { projectId: string; report: InboxReport }) {
  const { attachmentUrl, downloadAttachment } = api.feedback(callOf(projectId))
  const shown = ({ id, file_name: name, file_size, mime_type: type }: Attachment): ShownFile => ({
    name,
    kind: kindOfFile({ type, name }),
    sizeBytes: file_size,
    // The address that the API tells may be another than the one that this page was opened with.
    address: attachmentUrl(report.id, id),
    read: (options) => downloadAttachment(report.id, id, options),
  })
  return report.attachments.map((one) => <FileBox key={one.id} file={shown(one)} />)
}

function FileBox({ file }: { file: ShownFile }) {
  const { name, kind, address, sizeBytes } = file
  const [isLarge, setIsLarge] = useState(false)
  const [isMissing, setIsMissing] = useState(false)
  const isShown = hasPreview(file) && !isMissing
  const isPlayed = kind === 'audio' || kind === 'video'
  return (
    <figure className={css.file}>
      <figcaption className={css.head}>
        <KindIcon kind={kind} name={name} />
        <span className={css.name} dir="auto">
          {name}
        </span>
        <span className={css.size}>{sizeOf(sizeBytes)}</span>
        <span className={css.grow} />
        {isShown && !isPlayed && (
          <IconButton label={`Show ${name} large`} onClick={() => setIsLarge(true)}>
            <IconArrowsMaximize size={16} stroke={1.75} />
          </IconButton>
        )}
        {isMissing ? (
          <span className={css.size}>was never uploaded</span>
        ) : (
          <a className={css.download} href={address} download={name} aria-label={`Download ${name}`}>
            <IconDownload size={16} stroke={1.75} />
          </a>
        )}
      </figcaption>
      {isShown && kind === 'image' && (
        <button type="button" className={css.picture} onClick={() => setIsLarge(true)} aria-label={`Open ${name}`}>
          <img src={address} alt={name} loading="lazy" onError={() => setIsMissing(true)} />
        </button>
      )}
      {isShown && kind !== 'image' && (
        <div className={css.shown} data-kind={kind}>
          <FilePreview file={{ ...file, read: (options) => sayMissing(file.read(options)) }} />
        </div>
      )}
      {isLarge && (
        <Dialog label={name} width={1100} top={40} onClose={() => setIsLarge(false)}>
          <div className={css.large}>
            <FilePreview file={file} />
          </div>
        </Dialog>
      )}
    </figure>
  )

  /** A report can name a file that never came. */
  async function sayMissing<T>(reading: Promise<T>): Promise<T> {
    return reading.catch((err) => {
      if (err instanceof SlipwayError && err.status === 404) setIsMissing(true)
      throw err
    })
  }
}
