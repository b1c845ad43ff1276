import { useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import {
  IconAlertTriangle,
  IconCloud,
  IconCloudOff,
  IconMarkdown,
  IconMessage2,
  IconPencil,
  IconPilcrow,
} from '../../ui/icons.ts'
import { treeQuery } from '../api.ts'
import type { LiveStatus } from '../editor/live-document.ts'
import type { Kind } from '../kind.ts'
import css from './Toolbar.module.css'

interface Props {
  kind: Kind
  document: { id: string; version_number: number } | undefined
  status: LiveStatus
  view: 'rich' | 'markdown'
  onView(view: 'rich' | 'markdown'): void
}

const plural = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`

export function Toolbar({ kind, document, status, view, onView }: Props) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const node = useQuery(treeQuery(project.id, kind)).data?.nodes.find(({ id }) => id === document?.id)
  return (
    <div className={css.bar}>
      {document && <span className={css.version}>Version {document.version_number}</span>}
      {node && node.suggestion_count > 0 && (
        <span className={css.count}>
          <IconPencil size={15} stroke={1.75} className={css.green} />
          {plural(node.suggestion_count, 'suggestion')}
        </span>
      )}
      {node && node.open_comment_count > 0 && (
        <span className={css.count}>
          <IconMessage2 size={15} stroke={1.75} className={css.amber} />
          {plural(node.open_comment_count, 'open comment')}
        </span>
      )}
      <span className={css.grow} />
      <SaveState status={status} mayWrite={project.role !== 'viewer'} />
      <fieldset className={css.switch} aria-label="View">
        <button type="button" aria-pressed={view === 'rich'} onClick={() => onView('rich')}>
          <IconPilcrow size={15} stroke={1.75} />
          Rich
        </button>
        <button type="button" aria-pressed={view === 'markdown'} onClick={() => onView('markdown')}>
          <IconMarkdown size={15} stroke={1.75} />
          Markdown
        </button>
      </fieldset>
    </div>
  )
}

/** Whether what was typed is on the server. */
function SaveState({ status, mayWrite }: { status: LiveStatus; mayWrite: boolean }) {
  const { notStored, connection, hasUnsent, isLoaded } = status
  if (notStored)
    return (
      <span className={css.fault} role="status" title={notStored}>
        <IconAlertTriangle size={15} stroke={1.75} /> Not saved: {notStored}
      </span>
    )
  const isAway = connection !== 'connected'
  const text = !isLoaded
    ? 'Loading'
    : !mayWrite
      ? isAway
        ? 'Offline'
        : 'Read only'
      : isAway
        ? hasUnsent
          ? 'Waiting to save'
          : 'Offline'
        : hasUnsent
          ? 'Saving…'
          : 'Saved'
  const Sign = isAway && isLoaded ? IconCloudOff : IconCloud
  return (
    <span className={css.saved} role="status" data-away={(isAway && isLoaded) || undefined}>
      <Sign size={16} stroke={1.75} /> {text}
    </span>
  )
}
