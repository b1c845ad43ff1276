import type { Change } from '@slipway/sdk'
import { useEffect, useState } from 'react'
import type { Editor } from '../../editor/create-editor.ts'
import { writeMarkdown } from '../../editor/markdown.ts'
import { Notice } from '../../editor/Notice.tsx'
import { onChange } from '../../lib/changes.ts'
import { copyText } from '../../lib/copy-text.ts'
import { Button } from '../../ui/Button.tsx'
import { KINDS, type Kind } from '../kind.ts'

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
  kind: Kind
  by: Change['actor'] | undefined
  editor: Editor | undefined
}

/** Stands above the text of a document that was deleted while someone had it open. */
export function DeletedNotice({ kind, by, editor }: Props) {
  const copy = () => editor && void copyText(writeMarkdown(editor.view.state.doc.content), 'Markdown copied')
  return (
    <Notice actions={editor && <Button onClick={copy}>Copy as markdown</Button>}>
      {by ? `${by.name} deleted this ${KINDS[kind].one}.` : `This ${KINDS[kind].one} was deleted.`} The text below, with
      all that you typed, is only on this page now: copy it before you leave.
    </Notice>
  )
}
