import { queryOptions, useQuery } from '@tanstack/react-query'
import { clientOf } from '../../lib/client.ts'
import { IconDownload, IconFileCode, IconFileText } from '../../ui/icons.ts'
import { sizeOf } from './attachments.ts'
import css from './Comment.module.css'

const PICTURE = /^image\/(png|jpeg|gif|webp|avif)$/
const CODE = /json|javascript|xml|har|csv|x-sh|yaml/

const fileQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: [projectId, 'artifact', id],
    queryFn: async ({ signal }) => (await clientOf(projectId).artifacts.get(id, { signal })).data,
    staleTime: 5 * 60_000,
  })

/** The files of a comment: pictures as pictures, the rest as cards. Each can be downloaded. */
export function CommentFiles({ projectId, ids }: { projectId: string; ids: string[] }) {
  if (ids.length === 0) return null
  return (
    <div className={css.files}>
      {ids.map((id) => (
        <CommentFile key={id} projectId={projectId} id={id} />
      ))}
    </div>
  )
}

function CommentFile({ projectId, id }: { projectId: string; id: string }) {
  const file = useQuery(fileQuery(projectId, id)).data
  if (!file) return <span className={css.fileCard} aria-busy="true" />
  const address = clientOf(projectId).artifacts.contentUrl(id)
  if (PICTURE.test(file.content_type ?? ''))
    return (
      <a href={address} download={file.name} className={css.picture} title={`Download ${file.name}`}>
        <img src={address} alt={file.name} loading="lazy" />
      </a>
    )
  const Sign = CODE.test(`${file.content_type} ${file.name}`) ? IconFileCode : IconFileText
  return (
    <a href={address} download={file.name} className={css.fileCard} title={`Download ${file.name}`}>
      <Sign size={16} stroke={1.75} />
      <span className={css.fileName}>
        <strong>{file.name}</strong>
        <span>
          {sizeOf(file.size_bytes ?? 0)} · Knowledge Base{file.folder_path && ` / ${file.folder_path}`}
        </span>
      </span>
      <IconDownload size={16} stroke={1.75} />
    </a>
  )
}
