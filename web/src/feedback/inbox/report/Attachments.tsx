import * as api from '@slipway/sdk/resources'
import { useState } from 'react'
import { callOf } from '../../../lib/client.ts'
import { sizeOf } from '../../../lib/uploads/files.ts'
import { IconButton } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { IconArrowsMaximize, IconDownload, IconFileText, IconPhoto } from '../../../ui/icons.ts'
import type { InboxReport } from '../api.ts'
import css from './Attachments.module.css'

/** Pictures that a browser only draws. An SVG is a document, so it is downloaded. */
const PICTURE = /^image\/(png|jpeg|gif|webp|avif)$/

type Attachment = InboxReport['attachments'][number]

/** The files of a report: pictures in place, the rest to download. */
export function Attachments({ projectId, report }: { projectId: string; report: InboxReport }) {
  const { attachmentUrl } = api.feedback(callOf(projectId))
  return report.attachments.map((file) => (
    // The address that the API tells may be another than the one that this page was opened with.
    <FileBox key={file.id} file={file} address={attachmentUrl(report.id, file.id)} />
  ))
}

function FileBox({ file, address }: { file: Attachment; address: string }) {
  const [isLarge, setIsLarge] = useState(false)
  const [isMissing, setIsMissing] = useState(false)
  const isPicture = PICTURE.test(file.mime_type) && !isMissing
  const Sign = isPicture ? IconPhoto : IconFileText
  return (
    <figure className={css.file}>
      <figcaption className={css.head}>
        <Sign size={16} stroke={1.75} />
        <span className={css.name} dir="auto">
          {file.file_name}
        </span>
        <span className={css.size}>{sizeOf(file.file_size)}</span>
        <span className={css.grow} />
        {isPicture && (
          <IconButton label={`Show ${file.file_name} large`} onClick={() => setIsLarge(true)}>
            <IconArrowsMaximize size={16} stroke={1.75} />
          </IconButton>
        )}
        {isMissing ? (
          <span className={css.size}>was never uploaded</span>
        ) : (
          <a
            className={css.download}
            href={address}
            download={file.file_name}
            aria-label={`Download ${file.file_name}`}
          >
            <IconDownload size={16} stroke={1.75} />
          </a>
        )}
      </figcaption>
      {isPicture && (
        <button
          type="button"
          className={css.picture}
          onClick={() => setIsLarge(true)}
          aria-label={`Open ${file.file_name}`}
        >
          <img src={address} alt={file.file_name} loading="lazy" onError={() => setIsMissing(true)} />
        </button>
      )}
      {isLarge && (
        <Dialog label={file.file_name} width={1100} top={40} onClose={() => setIsLarge(false)}>
          <img className={css.large} src={address} alt={file.file_name} />
        </Dialog>
      )}
    </figure>
  )
}
