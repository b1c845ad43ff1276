import { useInfiniteQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { KindIcon } from '../../artifacts/KindIcon.tsx'
import { ask } from '../../lib/asking.ts'
import { useMayWrite } from '../../lib/may-write.ts'
import { countOf } from '../../lib/numbers.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { IconArrowBackUp, IconTrash } from '../../ui/icons.ts'
import { Time } from '../../ui/Time.tsx'
import { TopBar } from '../../ui/TopBar.tsx'
import { type TrashedArtifact, trashQuery } from '../api.ts'
import { ROOT_NAME } from '../artifact.ts'
import { deleteForever, restoreArtifacts } from '../edits.ts'
import css from './TrashPage.module.css'

/** What was deleted from the knowledge base in the last 30 days. */
export function TrashPage() {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const { data, error, hasNextPage, fetchNextPage } = useInfiniteQuery(trashQuery(project.id))
  usePageTitle(`Trash · ${project.name}`)
  if (error && !data) throw error
  const items = data?.pages.flatMap((page) => page.items)
  return (
    <>
      <TopBar
        path={
          <>
            {project.name} / Knowledge Base / <strong>Trash</strong>
          </>
        }
        title="Trash"
      />
      <h1 className="sr-only">Trash</h1>
      {items?.length === 0 && (
        <EmptyState icon={<IconTrash size={22} stroke={1.75} />} title="The trash is empty">
          What is deleted from the knowledge base stays here for 30 days and can be restored.
        </EmptyState>
      )}
      {items && items.length > 0 && (
        <ul className={css.list} aria-label="Trash">
          {items.map((one) => (
            <Line key={one.id} projectId={project.id} one={one} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <p className={css.more}>
          <Button onClick={() => void fetchNextPage()}>Show more</Button>
        </p>
      )}
    </>
  )
}

function Line({ projectId, one }: { projectId: string; one: TrashedArtifact }) {
  const mayWrite = useMayWrite()
  const kind = one.type === 'file' ? 'other' : one.type
  const remove = async () => {
    const isSure = await ask({
      title: `Delete “${one.name}” for good?`,
      text: 'Nobody can restore it after that.',
      verb: 'Delete for good',
    })
    if (isSure) void deleteForever(projectId, one)
  }
  return (
    <li className={css.line}>
      <KindIcon kind={kind} name={one.name} size={17} />
      <span className={css.words}>
        <span className={css.name} dir="auto">
          {one.name}
        </span>
        <span className={css.from}>
          {one.item_count > 0 && `${countOf(one.item_count, 'item')} · `}
          {one.folder_path || ROOT_NAME} · {one.deleted_by}, <Time at={one.deleted_at} />
        </span>
      </span>
      {mayWrite && (
        <>
          <Button
            icon={<IconArrowBackUp size={15} stroke={1.75} />}
            aria-label={`Restore ${one.name}`}
            onClick={() => void restoreArtifacts(projectId, [one])}
          >
            Restore
          </Button>
          <Button look="quiet" aria-label={`Delete for good: ${one.name}`} onClick={() => void remove()}>
            Delete for good
          </Button>
        </>
      )}
    </li>
  )
}
