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
import type { LiveStatus } from '../editor/live-document.ts'
import css from './Toolbar.module.css'

interface Props {
  document: { id: string; version_number: number } | undefined
  status: LiveStatus
  commentCount: number
  onComments(): void
  suggestionCount: number
  onReview(): void
  view: 'rich' | 'markdown'
  onView(view: 'rich' | 'markdown'): void
}

const plural = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`

export function Toolbar(props: Props) {
  const { document, status, commentCount, onComments, suggestionCount, onReview, view, onView } = props
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  return (
    <div className={css.bar}>
      {document && <span className={css.version}>Version {document.version_number}</span>}
      {suggestionCount > 0 && (
        <button type="button" className={css.count} onClick={onReview}>
          <IconPencil size={15} stroke={1.75} className={css.green} />
          {plural(suggestionCount, 'suggestion')}
        </button>
      )}
      <button type="button" className={css.count} onClick={onComments}>
        <IconMessage2 size={15} stroke={1.75} className={commentCount > 0 ? css.amber : undefined} />
        {commentCount > 0 ? plural(commentCount, 'open comment') : 'Comment'}
      </button>
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
