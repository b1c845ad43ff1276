import type { Change } from '@slipway/sdk'
import { type ReactNode, useEffect, useState } from 'react'
import { onChange } from '../lib/changes.ts'
import { copyText } from '../lib/copy-text.ts'
import { Button } from '../ui/Button.tsx'
import type { Editor } from './create-editor.ts'
import { writeMarkdown } from './markdown.ts'
import { Notice } from './Notice.tsx'

/** Who deleted the document while it was open. */
export function useDeletedBy(id: string): Change['actor'] | undefined {
  const [actor, setActor] = useState<Change['actor']>()
  useEffect(() => {
    return onChange((change) => {
      if (change.subject_id === id && change.kind.endsWith('.deleted')) setActor(change.actor)
    })
  }, [id])
  return actor
}

interface Props {
  /** What it is called: "requirement". */
  what: string
  by: Change['actor'] | undefined
  editor: Editor | undefined
  /** What else can be done. */
  actions?: ReactNode
  /** What to do about it. */
  children: ReactNode
}

/** Stands above the text of a document that was deleted while someone had it open. */
export function DeletedNotice({ what, by, editor, actions, children }: Props) {
  const copy = () => editor && void copyText(writeMarkdown(editor.view.state.doc.content), 'Markdown copied')
  return (
    <Notice
      actions={
        <>
          {actions}
          {editor && <Button onClick={copy}>Copy as markdown</Button>}
        </>
      }
    >
      {by ? `${by.name} deleted this ${what}.` : `This ${what} was deleted.`} {children}
    </Notice>
  )
}
