import { useQuery } from '@tanstack/react-query'
import { useLocation, useRouteContext } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { Editor as EditorHandle } from '../../editor/create-editor.ts'
import { DeletedNotice, useDeletedBy } from '../../editor/DeletedNotice.tsx'
import { Editor } from '../../editor/Editor.tsx'
import type { LiveDocument } from '../../editor/live-document.ts'
import { SaveState } from '../../editor/SaveState.tsx'
import { hasMarkdownDraft, MarkdownSource } from '../../editor/source/MarkdownSource.tsx'
import type { SourceState } from '../../editor/source/markdown-source.ts'
import { TextSkeleton } from '../../editor/TextSkeleton.tsx'
import { useLive } from '../../editor/use-live.ts'
import { useUnfit } from '../../editor/use-unfit.tsx'
import { TEXT_VIEWS, type TextView } from '../../editor/views.tsx'
import { onChange } from '../../lib/changes.ts'
import { SlipwayError } from '../../lib/client.ts'
import { useMayWrite } from '../../lib/may-write.ts'
import { signInAgain } from '../../lib/sign-in-again.ts'
import { noteHere } from '../../lib/still-here.ts'
import { useStore } from '../../lib/store.ts'
import { Button } from '../../ui/Button.tsx'
import { DropTarget } from '../../ui/DropTarget.tsx'
import { Segments } from '../../ui/Segments.tsx'
import { rowQuery } from '../api.ts'
import type { Row } from '../artifact.ts'
import { restoreArtifacts } from '../edits.ts'
import css from './DocumentText.module.css'
import { sourceName, useSourceText } from './source-text.ts'

interface Props {
  projectId: string
  row: Row
}

/** A document, to read and to write together with others. */
export default function DocumentText({ projectId, row }: Props) {
  const { session } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const live = useLive({ projectId, path: 'artifacts', resource: 'artifact', id: row.id }, session.user.id)
  return live ? <OpenText projectId={projectId} row={row} live={live} /> : null
}

function OpenText({ projectId, row, live }: Props & { live: LiveDocument }) {
  const { session } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const status = useStore(live.status)
  const [editor, setEditor] = useState<EditorHandle>()
  const [wanted, setView] = useState<TextView>(() =>
    hasMarkdownDraft(session.user.id, sourceName(row.id)) ? 'markdown' : 'rich',
  )
  const [source, setSource] = useState<SourceState>()
  const sourceText = useSourceText(projectId, row)
  const deletedBy = useDeletedBy(row.id)
  const mayWriteHere = useMayWrite()
  const { error } = useQuery(rowQuery(projectId, row.id))
  // Whoever was offline then is refused instead.
  const isGone = status.ended === 'deleted' || (error instanceof SlipwayError && error.status === 404)
  const unfit = useUnfit(live, isGone)
  const isUnfit = unfit !== undefined
  const mayWrite = mayWriteHere && (isUnfit || (!status.isReadOnly && !status.ended && !isGone))
  const view = isUnfit ? 'markdown' : wanted
  useFirstWords(editor)
  useEffect(() => {
    if (status.ended === 'signed-out') signInAgain()
  }, [status.ended])
  useEffect(() => {
    return onChange(({ subject_id, kind }) => {
      if (subject_id === row.id && kind === 'artifact.restored') live.resume()
    })
  }, [live, row.id])
  return (
    <>
      <div className={css.bar}>
        <SaveState status={isGone ? { ...status, ended: 'deleted' } : status} source={source} mayWrite={mayWrite} />
        <span className={css.grow} />
        {!isUnfit && <Segments label="View" options={TEXT_VIEWS} value={view} onChange={(next) => setView(next)} />}
      </div>
      <DropTarget
        className={css.scroller}
        onFiles={(files) => {
          if (mayWrite) editor?.addFiles(files, 'end')
        }}
      >
        <div className={css.text} aria-busy={!status.isLoaded && !isUnfit}>
          {isGone && (
            <DeletedNotice
              what="document"
              by={deletedBy}
              editor={editor}
              actions={mayWriteHere && <Button onClick={() => void restoreArtifacts(projectId, [row])}>Restore</Button>}
            >
              What you typed last is only on this page now: restore the document, or copy the text before you leave.
            </DeletedNotice>
          )}
          {unfit}
          {view === 'markdown' ? (
            <MarkdownSource of={sourceText} mayWrite={mayWrite} onState={setSource} />
          ) : status.isLoaded ? (
            <Editor
              projectId={projectId}
              live={live}
              user={{ id: session.user.id, name: session.user.display_name }}
              mode={mayWrite ? 'editing' : 'viewing'}
              onReady={setEditor}
            />
          ) : (
            <TextSkeleton />
          )}
        </div>
      </DropTarget>
    </>
  )
}

/** Whoever has just created a document wants to write. */
function useFirstWords(editor: EditorHandle | undefined): void {
  const isNew = useLocation({ select: ({ hash }) => hash === 'edit' })
  const [wantsText, setWantsText] = useState(isNew)
  const [isStillHere] = useState(noteHere)
  useEffect(() => {
    if (!editor || !wantsText) return
    if (isStillHere()) editor.view.focus()
    setWantsText(false)
  }, [editor, wantsText, isStillHere])
}
