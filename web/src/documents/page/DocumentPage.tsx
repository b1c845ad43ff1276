import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useRouteContext } from '@tanstack/react-router'
import { Suspense, useCallback, useEffect, useState } from 'react'
import { TopBar } from '../../app/frame/TopBar.tsx'
import { usePageTitle } from '../../app/page-title.ts'
import { SlipwayError } from '../../lib/client.ts'
import { cx } from '../../lib/cx.ts'
import { useMayWrite } from '../../lib/may-write.ts'
import { queryClient } from '../../lib/query-client.ts'
import { remember } from '../../lib/storage.ts'
import { useStore } from '../../lib/store.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { IconChevronLeft, IconFileText, IconGitPullRequest, IconHistory } from '../../ui/icons.ts'
import { contentQuery, documentQuery, treeQuery } from '../api.ts'
import type { Editor as EditorHandle } from '../editor/create-editor.ts'
import { Editor } from '../editor/Editor.tsx'
import { type LiveDocument, openLive, release } from '../editor/live-document.ts'
import { groupTitle, KINDS, type Kind } from '../kind.ts'
import { CommentList } from '../review/CommentList.tsx'
import { Margin } from '../review/Margin.tsx'
import { useLinkedThread, usePassages } from '../review/passages.ts'
import { ReviewSheet } from '../review/ReviewSheet.tsx'
import { useComments } from '../review/use-comments.ts'
import { useReview } from '../review/use-review.ts'
import { SearchLink } from '../search/SearchLink.tsx'
import { TextSkeleton } from '../TextSkeleton.tsx'
import { ancestorsOf } from '../tree/tree.ts'
import { Connected, ConnectedButton } from './Connected.tsx'
import css from './DocumentPage.module.css'
import { FoundLine } from './FoundLine.tsx'
import { MarkdownSource } from './MarkdownSource.tsx'
import { Outline } from './Outline.tsx'
import { SinceLastVisit } from './SinceLastVisit.tsx'
import { Title } from './Title.tsx'
import { Toolbar } from './Toolbar.tsx'
import { useMode } from './use-mode.ts'

export function RequirementPage() {
  return <DocumentPage kind="requirements" />
}

export function BlueprintPage() {
  return <DocumentPage kind="blueprints" />
}

function DocumentPage({ kind }: { kind: Kind }) {
  const { project, session } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const documentId = useParams({ strict: false }).documentId!
  const live = useLive(project.id, kind, documentId, session.user.id)
  useEffect(() => void remember(`document-${project.id}-${kind}`, documentId), [project.id, kind, documentId])
  // A document of its own for each id: nothing of the last one stays on the page.
  return live ? <OpenDocument key={documentId} kind={kind} id={documentId} live={live} /> : null
}

function useLive(projectId: string, kind: Kind, id: string, userId: string): LiveDocument | undefined {
  const [live, setLive] = useState<{ id: string; live: LiveDocument }>()
  useEffect(() => {
    setLive({ id, live: openLive(projectId, kind, id, userId) })
    return () => release(kind, id)
  }, [projectId, kind, id, userId])
  return live?.id === id ? live.live : undefined
}

function OpenDocument({ kind, id, live }: { kind: Kind; id: string; live: LiveDocument }) {
  const { project, session } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const status = useStore(live.status)
  const { data: document, error } = useQuery(documentQuery(project.id, kind, id))
  usePageTitle(document?.title)
  const [view, setView] = useState<'rich' | 'markdown'>('rich')
  const [editor, setEditor] = useState<EditorHandle>()
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)
  const comments = useComments(project.id, kind, id)
  const [showsComments, setShowsComments] = useState(false)
  const me = { id: session.user.id, name: session.user.display_name }
  const [active, setActive] = useState<{ suggestion?: string; thread?: string }>({})
  const onThread = useCallback((thread: string | undefined) => setActive(thread ? { thread } : {}), [])
  const activate = useCallback((suggestion: string | undefined) => setActive(suggestion ? { suggestion } : {}), [])
  const review = useReview({ projectId: project.id, kind, id, editor, me, activeId: active.suggestion, activate })
  const isGone = status.ended === 'deleted' || (error instanceof SlipwayError && error.status === 404)
  const mayWrite = useMayWrite() && !status.isReadOnly && !status.ended
  const [wanted, setMode] = useMode(id)
  const mode = mayWrite ? wanted : 'viewing'
  const sheet = { review, comments, mayWrite, activeThread: active.thread, onThread }
  usePassages(editor, comments.threads, active.thread)
  const linked = useLinkedThread(editor, comments, onThread, () => setShowsComments(true))
  useEffect(() => {
    if (status.ended === 'signed-out') location.assign('/sign-in')
  }, [status.ended])
  if (isGone) return <Gone kind={kind} />
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
              review.activate(review.proposals[0]?.id)
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
        commentCount={comments.threads.filter((one) => !one.is_resolved).length}
        onComments={() => setShowsComments(true)}
        suggestionCount={review.proposals.length}
        mode={mode}
        onMode={mayWrite ? setMode : undefined}
        view={view}
        onView={setView}
        onReview={() => review.activate(review.proposals[0]?.id)}
        onFind={() => editor?.find.open()}
        loadMarkdown={async () => (await queryClient.fetchQuery(contentQuery(project.id, kind, id))).text}
      />
      <SinceLastVisit kind={kind} id={id} />
      <div ref={setScroller} className={css.scroller}>
        <div className={cx(css.columns, view === 'markdown' && css.source)}>
          <aside className={css.side}>
            {editor && view === 'rich' && <Outline editor={editor} scroller={scroller} title={document?.title ?? ''} />}
            {document && <Connected kind={kind} document={document} />}
          </aside>
          <article className={css.page} aria-busy={!status.isLoaded}>
            {document ? (
              <Title
                kind={kind}
                document={document}
                mayWrite={mode === 'editing'}
                onDone={() => editor?.view.focus()}
              />
            ) : (
              <div className={css.titleSpace} />
            )}
            {editor && view === 'rich' && <FoundLine kind={kind} id={id} editor={editor} />}
            {view === 'markdown' ? (
              <MarkdownSource kind={kind} id={id} mayWrite={mode === 'editing'} />
            ) : status.isLoaded ? (
              <Suspense>
                <Editor
                  projectId={project.id}
                  live={live}
                  user={me}
                  mode={mode}
                  mayComment={mayWrite}
                  own={review.own}
                  onReady={setEditor}
                  onChangeClicked={activate}
                  onThreadClicked={onThread}
                  onEdit={() => setMode('editing')}
                />
              </Suspense>
            ) : (
              <TextSkeleton />
            )}
          </article>
          <aside className={css.margin} aria-label="Suggestions and comments">
            {editor && view === 'rich' && <Margin editor={editor} scroller={scroller} {...sheet} />}
          </aside>
        </div>
      </div>
      {editor && <ReviewSheet editor={editor} {...sheet} />}
      {showsComments && (
        <CommentList comments={comments} mayWrite={mayWrite} first={linked} onClose={() => setShowsComments(false)} />
      )}
    </>
  )
}

function Path({ kind, id, title }: { kind: Kind; id: string; title: string | undefined }) {
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
            {groupTitle(group.name)}
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
            {' / '}
            <strong>{name}</strong>
          </>
        )}
      </span>
    </span>
  )
}

function Gone({ kind }: { kind: Kind }) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const navigate = useNavigate()
  return (
    <>
      <TopBar path={<strong>{KINDS[kind].title}</strong>} />
      <EmptyState
        icon={<IconFileText size={22} stroke={1.75} />}
        title={`There is no such ${KINDS[kind].one}`}
        action={
          <Button
            look="primary"
            onClick={() => void navigate({ to: `/p/$projectId/${kind}`, params: { projectId: project.id } })}
          >
            Show all {KINDS[kind].title.toLowerCase()}
          </Button>
        }
      >
        It was deleted, or the address is mistyped.
      </EmptyState>
    </>
  )
}
