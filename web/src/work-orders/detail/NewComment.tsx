import { useState } from 'react'
import { dropDraft, findDraft, keepDraft } from '../../lib/drafts.ts'
import { newId } from '../../lib/ids.ts'
import { useUploads } from '../../lib/uploads/uploads.ts'
import type { Person } from '../../people/Avatar.tsx'
import { Button } from '../../ui/Button.tsx'
import type { WorkOrder } from '../work-order.ts'
import { CommentForm } from './CommentForm.tsx'
import { addComment, COMMENT_FILES } from './comments.ts'

export function NewComment({ workOrder, projectId, me }: { workOrder: WorkOrder; projectId: string; me: Person }) {
  const draft = `comment-${workOrder.id}`
  const attachments = useUploads(projectId, COMMENT_FILES)
  const [text, setText] = useState(() => findDraft(draft)?.text ?? '')
  const change = (value: string) => {
    setText(value)
    if (value) keepDraft(draft, value)
    else dropDraft(draft)
  }
  const canSend = (text.trim() !== '' || attachments.ids.length > 0) && attachments.isDone
  const send = () => {
    if (!canSend) return
    void addComment(projectId, {
      id: workOrder.id,
      number: workOrder.work_order_number,
      // A comment has a text; files alone are named in it.
      text: text.trim() ? text : attachments.files.map(({ name }) => name).join(', '),
      artifactIds: attachments.ids,
      author: me,
      temporaryId: newId(),
      at: new Date().toISOString(),
    })
    change('')
    attachments.clear()
  }
  return (
    <CommentForm text={text} onChange={change} attachments={attachments} onSubmit={send}>
      <Button disabled={!canSend} onClick={send}>
        Comment
      </Button>
    </CommentForm>
  )
}
