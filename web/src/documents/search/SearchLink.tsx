import { Link, useNavigate, useRouteContext } from '@tanstack/react-router'
import { IconRegex } from '../../ui/icons.ts'
import { KINDS, type Kind } from '../kind.ts'
import { useShortcut } from '../shortcuts.ts'
import css from './SearchLink.module.css'

/** The way from a document to the search of all of them. */
export function SearchLink({ kind }: { kind: Kind }) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const navigate = useNavigate()
  const to = { to: `/p/$projectId/${kind}/search`, params: { projectId: project.id } } as const
  useShortcut('search-text', () => void navigate(to))
  const name = `Search the text of all ${KINDS[kind].title.toLowerCase()}`
  return (
    <Link {...to} className={css.link} aria-label={name} title={name}>
      <IconRegex size={17} stroke={1.75} />
    </Link>
  )
}
