import { sizeOf } from '../../lib/uploads/files.ts'
import { Avatar } from '../../people/Avatar.tsx'
import { Time } from '../../ui/Time.tsx'
import { KIND_NAMES, ROOT_NAME, type Row } from '../artifact.ts'
import { authorOf } from '../list/Row.tsx'
import css from './Detail.module.css'

/** Who added a file and when, and what it is. */
export const FileFacts = ({ row }: { row: Row }) => (
  <section className={css.part} aria-label="File">
    <h2 className={css.head}>File</h2>
    <dl className={css.facts}>
      <dt>Added</dt>
      <dd>
        <Avatar person={authorOf(row)} />
        <span>
          {row.created_by}, <Time at={row.created_at} />
        </span>
      </dd>
      <dt>Changed</dt>
      <dd>
        <Time at={row.updated_at} />
      </dd>
      <dt>Kind</dt>
      <dd>
        {KIND_NAMES[row.kind]}, {sizeOf(row.size_bytes ?? 0)}
      </dd>
      <dt>Folder</dt>
      <dd>{row.folder_path || ROOT_NAME}</dd>
    </dl>
  </section>
)
