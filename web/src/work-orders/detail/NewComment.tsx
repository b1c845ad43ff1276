import { Composer } from '../../comments/Composer.tsx'
import { useDraftText } from '../../lib/drafts.ts'
import { newId } from '../../lib/ids.ts'
import { useUploads } from '../../lib/uploads/uploads.ts'
import type { Person } from '../../people/Avatar.tsx'
import { Button } from '../../ui/Button.tsx'
import type { WorkOrder } from '../work-order.ts'
import { addComment, COMMENT_FIELD, COMMENT_FILES } from './comments.ts'

export function NewComment({ workOrder, projectId, me }: { workOrder: WorkOrder; projectId: string; me: Person }) {
  const attachments = useUploads(projectId, COMMENT_FILES)
  const [text, change] = useDraftText(`comment-${workOrder.id}`)
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
    <Composer {...COMMENT_FIELD} text={text} onChange={change} attachments={attachments} onSend={send}>
      <Button disabled={!canSend} onClick={send}>
        Comment
      </Button>
    </Composer>
  )
}
