import { TextSelection } from 'prosemirror-state'
import type { Ref } from 'react'
import { CommentField } from '../../comments/CommentField.tsx'
import { anchorOf, changeAnchors, draftOf } from '../../editor/anchors.ts'
import type { Editor } from '../../editor/create-editor.ts'
import css from './CommentCard.module.css'
import type { Comments } from './use-comments.ts'

interface Props {
  editor: Editor
  comments: Comments
  cardRef?: Ref<HTMLElement>
}

/** A comment that is being written about the selected words. */
export function DraftCard({ editor, comments, cardRef }: Props) {
  const close = () => {
    editor.commenting.set(false)
    changeAnchors(editor.view, { draft: undefined })
    editor.view.focus()
  }
  const send = async (message: string) => {
    const range = draftOf(editor.view.state)
    const done = await comments.start(message, range && anchorOf(editor.view.state, range))
    if (done) {
      // Others may have written meanwhile, and the passage has moved.
      const passage = draftOf(editor.view.state)
      close()
      const { tr, doc } = editor.view.state
      // The tools for a selection would stand in the way.
      if (passage) editor.view.dispatch(tr.setSelection(TextSelection.near(doc.resolve(passage.to), -1)))
    }
    return done
  }
  return (
    <section ref={cardRef} className={`${css.card} ${css.active}`} aria-label="New comment">
      <CommentField
        draft={`comment-on-${comments.documentId}`}
        label="Comment"
        placeholder="Comment…"
        autoFocus
        onSend={send}
        onCancel={close}
      />
    </section>
  )
}
