import { useQuery } from '@tanstack/react-query'
import { Link, useRouteContext } from '@tanstack/react-router'
import { IconChevronLeft } from '../../ui/icons.ts'
import { treeQuery } from '../api.ts'
import { groupTitle, KINDS, type Kind } from '../kind.ts'
import { ancestorsOf } from '../tree/tree.ts'
import css from './DocumentPage.module.css'

/** Where a document stands in its tree. */
export function Path({ kind, id, title }: { kind: Kind; id: string; title: string | undefined }) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const tree = useQuery(treeQuery(project.id, kind)).data
  const node = tree?.nodes.find((one) => one.id === id)
  const group = tree?.groups.find((one) => one.id === node?.group_id)
  const name = title ?? node?.title
  return (
    <span className={css.trail}>
      <Link
        to={`/p/$projectId/${kind}`}
        params={{ projectId: project.id }}
        className={css.back}
        aria-label={`All ${KINDS[kind].title.toLowerCase()}`}
      >
        <IconChevronLeft size={20} stroke={1.75} />
      </Link>
      <span className={css.names}>
        <Link to={`/p/$projectId/${kind}`} params={{ projectId: project.id }} className={css.wide}>
          {KINDS[kind].title}
        </Link>
        {group && (
          <>
            <span className={css.wide}> / </span>
            <span className={css.wide}>{groupTitle(group.name)}</span>
          </>
        )}
        {tree &&
          ancestorsOf(tree.nodes, id).map((one) => (
            <span key={one.id} className={css.wide}>
              {' / '}
              <Link to={`/p/$projectId/${kind}/$documentId`} params={{ projectId: project.id, documentId: one.id }}>
                {one.title}
              </Link>
            </span>
          ))}
        {name && (
          <>
            <span className={css.wide}> / </span>
            <strong>{name}</strong>
          </>
        )}
      </span>
    </span>
  )
}
