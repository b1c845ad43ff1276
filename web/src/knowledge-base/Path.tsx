import { useQuery } from '@tanstack/react-query'
import { Link, useRouteContext } from '@tanstack/react-router'
import { Fragment } from 'react'
import { IconChevronLeft } from '../ui/icons.ts'
import { foldersQuery } from './api.ts'
import css from './Path.module.css'
import { pathTo } from './tree/folders.ts'

interface Props {
  /** The folder that is open, or that the open file lies in. */
  folderId: string | null | undefined
  /** The name of the open file. */
  file?: string | undefined
}

/** The way from the project to a folder or a file. */
export function Path({ folderId, file }: Props) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const folders = pathTo(useQuery(foldersQuery(project.id)).data?.folders ?? [], folderId)
  const params = { projectId: project.id }
  const above = file === undefined ? folders.slice(0, -1) : folders
  const last = file ?? folders.at(-1)?.name
  const parent = above.at(-1)
  return (
    <span className={css.trail}>
      {last !== undefined && (
        <Link
          to={parent ? '/p/$projectId/knowledge-base/$artifactId' : '/p/$projectId/knowledge-base'}
          params={{ ...params, artifactId: parent?.id ?? '' }}
          className={css.back}
          aria-label={`Back to ${parent?.name ?? 'the knowledge base'}`}
        >
          <IconChevronLeft size={20} stroke={1.75} />
        </Link>
      )}
      <span className={css.wide}>{project.name} /</span>
      {last === undefined ? (
        <strong>Knowledge Base</strong>
      ) : (
        <>
          <Link to="/p/$projectId/knowledge-base" params={params} className={css.wide}>
            Knowledge Base
          </Link>
          {above.map(({ id, name }) => (
            <Fragment key={id}>
              <span className={css.wide}>/</span>
              <Link
                to="/p/$projectId/knowledge-base/$artifactId"
                params={{ ...params, artifactId: id }}
                className={css.wide}
              >
                {name}
              </Link>
            </Fragment>
          ))}
          <span className={css.wide}>/</span>
          <strong dir="auto">{last}</strong>
        </>
      )}
    </span>
  )
}
