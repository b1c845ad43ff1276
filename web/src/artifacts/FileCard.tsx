import * as api from '@slipway/sdk/resources'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { callOf } from '../lib/client.ts'
import { sizeOf } from '../lib/uploads/files.ts'
import { IconDownload, IconFileCode, IconFileText } from '../ui/icons.ts'
import css from './FileCard.module.css'

const PICTURE = /^image\/(png|jpeg|gif|webp|avif)$/
const CODE = /json|javascript|xml|har|csv|x-sh|yaml/

const fileQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: [projectId, 'artifact', id],
    queryFn: async ({ signal }) => (await api.artifacts(callOf(projectId)).get(id, { signal })).data,
    staleTime: 5 * 60_000,
  })

/** Files of the knowledge base: pictures as pictures, the rest as cards. Each can be downloaded. */
export function FileCards({ projectId, ids }: { projectId: string; ids: string[] }) {
  if (ids.length === 0) return null
  return (
    <div className={css.files}>
      {ids.map((id) => (
        <FileCard key={id} projectId={projectId} id={id} />
      ))}
    </div>
  )
}

function FileCard({ projectId, id }: { projectId: string; id: string }) {
  const file = useQuery(fileQuery(projectId, id)).data
  if (!file) return <span className={css.card} aria-busy="true" />
  const address = api.artifacts(callOf(projectId)).contentUrl(id)
  if (PICTURE.test(file.content_type ?? ''))
    return (
      <a href={address} download={file.name} className={css.picture} title={`Download ${file.name}`}>
        <img src={address} alt={file.name} loading="lazy" />
      </a>
    )
  const Sign = CODE.test(`${file.content_type} ${file.name}`) ? IconFileCode : IconFileText
  return (
    <a href={address} download={file.name} className={css.card} title={`Download ${file.name}`}>
      <Sign size={16} stroke={1.75} />
      <span className={css.name}>
        <strong>{file.name}</strong>
        <span>
          {sizeOf(file.size_bytes ?? 0)} · Knowledge Base{file.folder_path && ` / ${file.folder_path}`}
        </span>
      </span>
      <IconDownload size={16} stroke={1.75} />
    </a>
  )
}
