import { useState } from 'react'
import { dropDraft, findDraft, keepDraft } from '../../lib/drafts.ts'
import { newId } from '../../lib/ids.ts'
import type { Person } from '../../people/Avatar.tsx'
import { Button } from '../../ui/Button.tsx'
import type { WorkOrder } from '../work-order.ts'
import { useAttachments } from './attachments.ts'
import { CommentForm } from './CommentForm.tsx'
import { addComment } from './comments.ts'

export function NewComment({ workOrder, projectId, me }: { workOrder: WorkOrder; projectId: string; me: Person }) {
  const draft = `comment-${workOrder.id}`
  const attachments = useAttachments(projectId)
  const [text, setText] = useState(() => findDraft(draft)?.text ?? '')
  const change = (value: string) => {
    setText(value)
    if (value) keepDraft(draft, value)
    else dropDraft(draft)
  }
  const artifactIds = attachments.files.flatMap(({ artifactId }) => artifactId ?? [])
  const canSend = (text.trim() !== '' || artifactIds.length > 0) && !attachments.isBusy && !attachments.hasFaults
  const send = () => {
    if (!canSend) return
    void addComment(projectId, {
      id: workOrder.id,
      number: workOrder.work_order_number,
      // A comment has a text; files alone are named in it.
      text: text.trim() ? text : attachments.files.map(({ name }) => name).join(', '),
      artifactIds,
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
