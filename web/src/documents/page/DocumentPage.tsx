import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useParams, useRouteContext } from '@tanstack/react-router'
import { type MouseEvent, Suspense, useCallback, useEffect, useState } from 'react'
import type { Editor as EditorHandle } from '../../editor/create-editor.ts'
import { DeletedNotice, useDeletedBy } from '../../editor/DeletedNotice.tsx'
import { Editor } from '../../editor/Editor.tsx'
import type { LiveDocument } from '../../editor/live-document.ts'
import { hasMarkdownDraft, MarkdownSource } from '../../editor/source/MarkdownSource.tsx'
import type { SourceState } from '../../editor/source/markdown-source.ts'
import { TextSkeleton } from '../../editor/TextSkeleton.tsx'
import { useLive } from '../../editor/use-live.ts'
import { useUnfit } from '../../editor/use-unfit.tsx'
import { SlipwayError } from '../../lib/client.ts'
import { cx } from '../../lib/cx.ts'
import { useMayWrite } from '../../lib/may-write.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { queryClient } from '../../lib/query-client.ts'
import { signInAgain } from '../../lib/sign-in-again.ts'
import { noteHere } from '../../lib/still-here.ts'
import { remember } from '../../lib/storage.ts'
import { useStore } from '../../lib/store.ts'
import { Button } from '../../ui/Button.tsx'
import { DropTarget } from '../../ui/DropTarget.tsx'
import { IconGitPullRequest, IconHistory } from '../../ui/icons.ts'
import { TopBar } from '../../ui/TopBar.tsx'
import { ActivityDialog } from '../activity/ActivityDialog.tsx'
import { contentQuery, documentQuery } from '../api.ts'
import { Approval } from '../approval/Approval.tsx'
import { KINDS, type Kind } from '../kind.ts'
import { CommentList } from '../review/CommentList.tsx'
import { Margin } from '../review/Margin.tsx'
import { useLinkedThread, usePassages } from '../review/passages.ts'
import { ReviewSheet } from '../review/ReviewSheet.tsx'
import { useComments } from '../review/use-comments.ts'
import { useReview } from '../review/use-review.ts'
import { SearchLink } from '../search/SearchLink.tsx'
import { StartWith } from '../templates/StartWith.tsx'
import { Connected, ConnectedButton } from './Connected.tsx'
import css from './DocumentPage.module.css'
import { FoundLine } from './FoundLine.tsx'
import { Gone } from './Gone.tsx'
import { Outline } from './Outline.tsx'
import { Path } from './Path.tsx'
import './print.css'
import { SinceLastVisit } from './SinceLastVisit.tsx'
import { sourceName, useSourceText } from './source-text.ts'
import { Title } from './Title.tsx'
import { Toolbar } from './Toolbar.tsx'
import { useMode } from './use-mode.ts'
import { WordCount } from './WordCount.tsx'

export function RequirementPage() {
  return <DocumentPage kind="requirements" />
}

export function BlueprintPage() {
  return <DocumentPage kind="blueprints" />
}

function DocumentPage({ kind }: { kind: Kind }) {
  const { project, session } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const documentId = useParams({ strict: false }).documentId!
  const subject = { projectId: project.id, path: kind, resource: KINDS[kind].resource, id: documentId }
  const live = useLive(subject, session.user.id)
  useEffect(() => void remember(`document-${project.id}-${kind}`, documentId), [project.id, kind, documentId])
  // A document of its own for each id: nothing of the last one stays on the page.
  return live ? <OpenDocument key={documentId} kind={kind} id={documentId} live={live} /> : null
}

function OpenDocument({ kind, id, live }: { kind: Kind; id: string; live: LiveDocument }) {
  const { project, session } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const status = useStore(live.status)
  const { data: document, error } = useQuery(documentQuery(project.id, kind, id))
  usePageTitle(document?.title)
  const [wantedView, setView] = useState<'rich' | 'markdown'>(() =>
    hasMarkdownDraft(session.user.id, sourceName(kind, id)) ? 'markdown' : 'rich',
  )
  const [source, setSource] = useState<SourceState>()
  const sourceText = useSourceText(kind, id, document?.title ?? '')
  const [editor, setEditor] = useState<EditorHandle>()
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)
  const comments = useComments(project.id, kind, id)
  const [showsComments, setShowsComments] = useState(false)
  const [showsActivity, setShowsActivity] = useState(false)
  const me = { id: session.user.id, name: session.user.display_name }
  const [active, setActive] = useState<{ suggestion?: string; thread?: string }>({})
  const onThread = useCallback((thread: string | undefined) => setActive(thread ? { thread } : {}), [])
  const activate = useCallback((suggestion: string | undefined) => setActive(suggestion ? { suggestion } : {}), [])
  const review = useReview({ projectId: project.id, kind, id, editor, me, activeId: active.suggestion, activate })
  const deletedBy = useDeletedBy(id)
  const isGone = status.ended === 'deleted' || (error instanceof SlipwayError && error.status === 404)
  const unfit = useUnfit(live, isGone)
  const isUnfit = unfit !== undefined
  const view = isUnfit ? 'markdown' : wantedView
  const mayWrite = useMayWrite() && (isUnfit || (!status.isReadOnly && !status.ended && !isGone))
  const [wanted, setMode] = useMode(id)
  // Markdown is written, not suggested.
  const mode = !mayWrite ? 'viewing' : isUnfit ? 'editing' : wanted
  const isNew = useLocation({ select: ({ hash }) => hash === 'text' })
  const [wantsText, setWantsText] = useState(isNew)
  const [isStillHere] = useState(noteHere)
  useEffect(() => {
    if (!editor || !wantsText) return
    if (isStillHere()) editor.view.focus()
    setWantsText(false)
  }, [editor, wantsText, isStillHere])
  const sheet = { review, comments, mayWrite, activeThread: active.thread, onThread }
  usePassages(editor, comments.threads, active.thread)
  const linked = useLinkedThread(editor, comments, onThread, () => setShowsComments(true))
  useEffect(() => {
    if (status.ended === 'signed-out') signInAgain()
  }, [status.ended])
  // Whoever has the text open keeps it.
  if (isGone && !editor) return <Gone kind={kind} />
  if (error && !document) throw error
  return (
    <>
      <TopBar path={<Path kind={kind} id={id} title={document?.title} />} tools={<SearchLink kind={kind} />}>
        {document && <ConnectedButton kind={kind} document={document} />}
        <Link
          to={`/p/$projectId/${kind}/$documentId/history`}
          params={{ projectId: project.id, documentId: id }}
          className={css.history}
          aria-label="History"
        >
          <IconHistory size={16} stroke={1.75} />
          <span>History</span>
        </Link>
        {review.proposals.length > 0 && mayWrite && (
          <Button
            look="primary"
            className={css.review}
            icon={<IconGitPullRequest size={16} />}
            onClick={() => {
              setView('rich')
              review.focus(review.proposals[0]?.id)
            }}
          >
            Review suggestions
          </Button>
        )}
      </TopBar>
      <Toolbar
        kind={kind}
        document={document}
        status={status}
        source={source}
        commentCount={comments.threads.filter((one) => !one.is_resolved).length}
        onComments={() => setShowsComments(true)}
        suggestionCount={review.proposals.length}
        mode={mode}
        onMode={mayWrite && !isUnfit ? setMode : undefined}
        view={view}
        onView={isUnfit ? undefined : setView}
        onReview={() => review.focus(review.proposals[0]?.id)}
        onFind={() => editor?.find.open()}
        onActivity={() => setShowsActivity(true)}
        loadMarkdown={async () => (await queryClient.fetchQuery(contentQuery(project.id, kind, id))).text}
      />
      <SinceLastVisit kind={kind} id={id} />
      <DropTarget
        ref={setScroller}
        className={css.scroller}
        onMouseDown={(event) => editor && goBelow(event, editor)}
        onFiles={(files) => {
          if (mode !== 'viewing') editor?.addFiles(files, 'end')
        }}
      >
        <div className={cx(css.columns, view === 'markdown' && css.source)}>
          <aside className={css.side}>
            {editor && view === 'rich' && <Outline editor={editor} scroller={scroller} title={document?.title ?? ''} />}
            {document && <Connected kind={kind} document={document} />}
          </aside>
          <article className={css.page} aria-busy={!status.isLoaded && !isUnfit}>
            {document ? (
              <Title
                kind={kind}
                document={document}
                mayWrite={mode === 'editing'}
                onDone={() => (editor ? editor.view.focus() : setWantsText(true))}
              />
            ) : (
              <div className={css.titleSpace} />
            )}
            {document && kind === 'requirements' && !isGone && <Approval document={document} />}
            {isGone && (
              <DeletedNotice what={KINDS[kind].one} by={deletedBy} editor={editor}>
                The text below, with all that you typed, is only on this page now: copy it before you leave.
              </DeletedNotice>
            )}
            {unfit}
            {editor && view === 'rich' && <FoundLine kind={kind} id={id} editor={editor} />}
            {view === 'markdown' ? (
              <MarkdownSource of={sourceText} mayWrite={mode === 'editing'} onState={setSource} />
            ) : status.isLoaded ? (
              <Suspense>
                <Editor
                  projectId={project.id}
                  live={live}
                  user={me}
                  mode={mode}
                  onReady={setEditor}
                  reviewing={{
                    mayComment: mayWrite,
                    own: review.own,
                    onChangeClicked: activate,
                    onThreadClicked: onThread,
                    onEdit: () => setMode('editing'),
                  }}
                />
              </Suspense>
            ) : (
              <TextSkeleton />
            )}
            {editor && view === 'rich' && mode === 'editing' && <StartWith editor={editor} kind={kind} id={id} />}
            {editor && view === 'rich' && <WordCount editor={editor} />}
          </article>
          <aside className={css.margin} aria-label="Suggestions and comments">
            {editor && view === 'rich' && <Margin editor={editor} scroller={scroller} {...sheet} />}
          </aside>
        </div>
      </DropTarget>
      {editor && <ReviewSheet editor={editor} {...sheet} />}
      {showsActivity && <ActivityDialog id={id} onClose={() => setShowsActivity(false)} />}
      {showsComments && (
        <CommentList comments={comments} mayWrite={mayWrite} first={linked} onClose={() => setShowsComments(false)} />
      )}
    </>
  )
}

/** A click into the empty space below the text goes to its end. */
function goBelow(event: MouseEvent, editor: EditorHandle): void {
  const isBlank = event.target instanceof HTMLElement && event.target.closest('aside, header, .document') === null
  if (event.button !== 0 || !isBlank || event.clientY <= editor.view.dom.getBoundingClientRect().bottom) return
  event.preventDefault()
  editor.goToEnd()
}
