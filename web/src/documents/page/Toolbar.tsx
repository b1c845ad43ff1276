import type { Mode } from '../../editor/Editor.tsx'
import type { LiveStatus } from '../../editor/live-document.ts'
import { SaveState } from '../../editor/SaveState.tsx'
import type { SourceState } from '../../editor/source/markdown-source.ts'
import { TEXT_VIEWS, type TextView } from '../../editor/views.tsx'
import { PHONE, useWidth } from '../../lib/breakpoints.ts'
import { copyText } from '../../lib/copy-text.ts'
import { useMayWrite } from '../../lib/may-write.ts'
import { IconCopy, IconEye, IconHistory, IconLink, IconMessage2, IconPencil, IconReplace } from '../../ui/icons.ts'
import type { MenuLine } from '../../ui/Menu.tsx'
import { MoreMenu } from '../../ui/MoreMenu.tsx'
import { Segments } from '../../ui/Segments.tsx'
import { Switch } from '../../ui/Switch.tsx'
import type { Kind } from '../kind.ts'
import css from './Toolbar.module.css'
import { useDocumentActions } from './use-document-actions.tsx'
import { VersionMenu } from './VersionMenu.tsx'

interface Props {
  kind: Kind
  document: { id: string; title: string; version_number: number } | undefined
  status: LiveStatus
  /** The state of the markdown view, while it is shown. */
  source: SourceState | undefined
  commentCount: number
  onComments(): void
  suggestionCount: number
  onReview(): void
  mode: Mode
  /** Undefined for a viewer, who can only view. */
  onMode: ((mode: Mode) => void) | undefined
  view: TextView
  /** Undefined if the text can only be shown as markdown. */
  onView: ((view: TextView) => void) | undefined
  onFind(): void
  onActivity(): void
  loadMarkdown(): Promise<string>
}

const plural = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`

export function Toolbar(props: Props) {
  const {
    kind,
    document,
    status,
    source,
    commentCount,
    onComments,
    suggestionCount,
    onReview,
    mode,
    onMode,
    view,
    onView,
  } = props
  const isNarrow = useWidth(PHONE)
  const mayWrite = useMayWrite()
  return (
    <div className={css.bar}>
      {document && <VersionMenu kind={kind} document={document} />}
      {suggestionCount > 0 && (
        <button type="button" className={css.count} onClick={onReview}>
          <IconPencil size={15} stroke={1.75} className={css.green} />
          <span>{plural(suggestionCount, 'suggestion')}</span>
        </button>
      )}
      <button type="button" className={css.count} onClick={onComments}>
        <IconMessage2 size={15} stroke={1.75} className={commentCount > 0 ? css.amber : undefined} />
        {commentCount > 0 ? (
          <span>
            {commentCount} <span className={css.long}>open </span>
            {commentCount === 1 ? 'comment' : 'comments'}
          </span>
        ) : !mayWrite ? (
          'Comments'
        ) : (
          'Comment'
        )}
      </button>
      <span className={css.grow} />
      {mode === 'viewing' && onMode && (
        <button type="button" className={css.viewing} title="Edit again" onClick={() => onMode('editing')}>
          <IconEye size={15} stroke={1.75} /> Viewing
        </button>
      )}
      {onMode && mode !== 'viewing' && (
        <Switch
          label="Suggesting"
          checked={mode === 'suggesting'}
          className={css.suggesting}
          title={mode === 'suggesting' ? 'What you type becomes a suggestion' : 'Suggest instead of editing'}
          onChange={(on) => onMode(on ? 'suggesting' : 'editing')}
        >
          <IconPencil size={15} stroke={1.75} />
          <span className={css.word}>Suggesting</span>
        </Switch>
      )}
      <SaveState status={status} source={source} mayWrite={mayWrite} />
      {!isNarrow && onView && <Segments label="View" options={TEXT_VIEWS} value={view} onChange={onView} />}
      <More {...props} isNarrow={isNarrow} />
    </div>
  )
}

function More(props: Props & { isNarrow: boolean }) {
  const { kind, document, mode, onMode, view, onView, onFind, onActivity, loadMarkdown, isNarrow } = props
  const size = { size: 16, stroke: 1.75 }
  const actions = useDocumentActions(kind, document, loadMarkdown)
  const run = (value: string) => {
    if (value === 'find') onFind()
    else if (value === 'activity') onActivity()
    else if (value === 'view') onView?.(view === 'rich' ? 'markdown' : 'rich')
    else if (value === 'mode') onMode?.(mode === 'viewing' ? 'editing' : 'viewing')
    else if (value === 'link') void copyText(location.origin + location.pathname, 'Link copied')
    else if (!actions.run(value)) void copyText(loadMarkdown(), 'Markdown copied')
  }
  return (
    <MoreMenu
      label="More"
      onPick={run}
      options={[
        ...(isNarrow && onView ? [viewOption(view)] : []),
        ...(view === 'rich' ? [{ value: 'find', label: 'Find and replace', icon: <IconReplace {...size} /> }] : []),
        ...(onMode
          ? [{ value: 'mode', label: mode === 'viewing' ? 'Edit' : 'View only', icon: <IconEye {...size} /> }]
          : []),
        { value: 'copy', label: 'Copy as markdown', icon: <IconCopy {...size} />, divided: true },
        { value: 'link', label: 'Copy link', icon: <IconLink {...size} /> },
        { value: 'activity', label: 'Activity', icon: <IconHistory {...size} /> },
        ...actions.options,
      ]}
    />
  )
}

const viewOption = (view: TextView): MenuLine => ({
  value: 'view',
  label: view === 'rich' ? 'Show markdown' : 'Show rich text',
  icon: TEXT_VIEWS[view === 'rich' ? 1 : 0].icon,
})
