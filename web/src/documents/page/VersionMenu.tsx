import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouteContext } from '@tanstack/react-router'
import { momentOf } from '../../lib/time.ts'
import { IconChevronDown, IconHistory } from '../../ui/icons.ts'
import { MenuButton } from '../../ui/Menu.tsx'
import { versionsQuery } from '../api.ts'
import type { Kind } from '../kind.ts'
import css from './Toolbar.module.css'

interface Props {
  kind: Kind
  document: { id: string; version_number: number }
}

const MOST = 6
const ALL = 'all'

/** The number of the version, with the last ones to compare with. */
export function VersionMenu({ kind, document }: Props) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const navigate = useNavigate()
  const versions = useQuery(versionsQuery(project.id, kind, document.id)).data ?? []
  const earlier = versions.filter((one) => one.version_number < document.version_number).slice(0, MOST)
  const show = (value: string) =>
    void navigate({
      to: `/p/$projectId/${kind}/$documentId/history`,
      params: { projectId: project.id, documentId: document.id },
      search: value === ALL ? {} : { a: value },
    })
  return (
    <MenuButton
      label="Versions"
      target={({ toggle }) => (
        <button type="button" className={css.version} onClick={toggle}>
          <span>
            <span className={css.long}>Version </span>
            <span className={css.short}>v</span>
            {document.version_number}
          </span>
          <IconChevronDown size={13} stroke={1.75} />
        </button>
      )}
      options={[
        ...earlier.map(({ version_number: number, created_at }) => ({
          value: String(number),
          label: `Compare with version ${number} · ${momentOf(created_at)}`,
        })),
        {
          value: ALL,
          label: 'All versions',
          icon: <IconHistory size={16} stroke={1.75} />,
          divided: earlier.length > 0,
        },
      ]}
      onPick={show}
    />
  )
}
