import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { findLinks } from '../lib/find-links.ts'
import { showToast } from '../lib/toasts.ts'
import { storeForText } from '../lib/uploads/files-in-texts.ts'
import { BubbleMenu } from './BubbleMenu.tsx'
import { BlockHandle } from './blocks/BlockHandle.tsx'
import { createEditor, type Editor as EditorHandle } from './create-editor.ts'
import { colorOf } from './cursors.ts'
import { EditorBoundary } from './EditorBoundary.tsx'
import './editor.css'
import './framed/framed.css'
import css from './Editor.module.css'
import { FindBar } from './find/FindBar.tsx'
import { ImageCard } from './images/ImageCard.tsx'
import { LinkCard } from './links/LinkCard.tsx'
import { LinkMenu } from './links/LinkMenu.tsx'
import type { LiveDocument } from './live-document.ts'
import { SlashMenu } from './SlashMenu.tsx'
import type { OwnSuggestions } from './suggesting/own-suggestions.ts'
import { TableMenu } from './tables/TableMenu.tsx'

interface Props {
  projectId: string
  live: LiveDocument
  user: { id: string; name: string }
  mode: Mode
  onReady(editor: EditorHandle | undefined): void
  /** Left out for texts without suggestions and comments. */
  reviewing?: Reviewing
}

interface Reviewing {
  mayComment: boolean
  own: OwnSuggestions
  onChangeClicked(changeId: string): void
  onThreadClicked(threadId: string): void
  /** Called when someone wants to edit what cannot be suggested. */
  onEdit(): void
}

const NO_SUGGESTIONS: OwnSuggestions = { has: () => false, add: () => undefined }

/** What typing does. */
export type Mode = 'editing' | 'suggesting' | 'viewing'

/** The rich form of a document. An editor that throws is replaced by the text alone, and the page stays. */
export function Editor(props: Props) {
  return (
    <EditorBoundary live={props.live}>
      <LiveEditor {...props} />
    </EditorBoundary>
  )
}

/** Its text belongs to ProseMirror; React draws only the menus around it. */
function LiveEditor(props: Props) {
  const { projectId, live, user, mode, reviewing } = props
  const mayComment = reviewing?.mayComment ?? false
  const mayWrite = mode !== 'viewing'
  const place = useRef<HTMLDivElement>(null)
  const file = useRef<HTMLInputElement>(null)
  const [editor, setEditor] = useState<EditorHandle>()
  const [fault, setFault] = useState<Error>()
  const latest = useRef(props)
  latest.current = props
  const router = useRouter()

  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor lives as long as its document
  useEffect(() => {
    const made = createEditor({
      place: place.current!,
      live,
      user: { ...user, color: colorOf(user.id) },
      mayWrite: () => latest.current.mode !== 'viewing',
      mayComment: () => latest.current.reviewing?.mayComment ?? false,
      isSuggesting: () => latest.current.mode === 'suggesting',
      own: reviewing?.own ?? NO_SUGGESTIONS,
      onRefused: (text) =>
        showToast({ text, action: { label: 'Switch to editing', run: () => latest.current.reviewing?.onEdit() } }),
      onBroken: setFault,
      storeFiles: (files, put) => void storeForText(projectId, files, put),
      findLinks: findLinks(projectId, router),
      pickPicture: () => file.current?.click(),
      onChangeClicked: (id) => latest.current.reviewing?.onChangeClicked(id),
      onThreadClicked: (id) => latest.current.reviewing?.onThreadClicked(id),
    })
    setEditor(made)
    latest.current.onReady(made)
    return () => {
      latest.current.onReady(undefined)
      setEditor(undefined)
      made.destroy()
    }
  }, [live, user.id, projectId])

  // biome-ignore lint/correctness/useExhaustiveDependencies: tells the editor to ask again
  useEffect(() => {
    editor?.view.setProps({ editable: () => latest.current.mode !== 'viewing' })
  }, [editor, mayWrite])

  if (fault) throw fault
  return (
    <>
      <div className={css.frame}>
        <div ref={place} />
        {editor && mayWrite && <BlockHandle editor={editor} />}
      </div>
      <input
        ref={file}
        type="file"
        accept="image/*"
        hidden
        onChange={({ target }) => {
          editor?.addFiles([...(target.files ?? [])], 'cursor')
          target.value = ''
          editor?.view.focus()
        }}
      />
      {editor && mayWrite && (
        <>
          <LinkCard editor={editor} />
          <ImageCard editor={editor} />
          <SlashMenu editor={editor} />
          <LinkMenu editor={editor} />
          <TableMenu editor={editor} />
        </>
      )}
      {editor && <FindBar editor={editor} mayReplace={mayWrite} />}
      {editor && (mayWrite || mayComment) && (
        <BubbleMenu editor={editor} mayFormat={mayWrite} mayComment={mayComment} />
      )}
    </>
  )
}
