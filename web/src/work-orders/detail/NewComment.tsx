import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { clientOf } from '../../lib/client.ts'
import { remember, remembered } from '../../lib/storage.ts'
import { Button } from '../../ui/Button.tsx'
import { commentsQuery } from '../api.ts'
import type { WorkOrder } from '../work-order.ts'
import { useAttachments } from './attachments.ts'
import { CommentForm } from './CommentForm.tsx'

export function NewComment({ workOrder, projectId }: { workOrder: WorkOrder; projectId: string }) {
  const draft = `comment-${workOrder.id}`
  const cache = useQueryClient()
  const attachments = useAttachments(projectId)
  const [text, setText] = useState(() => remembered(draft) ?? '')
  const [fault, setFault] = useState<string>()
  const [busy, setBusy] = useState(false)
  // A retry sends the same key, so the comment is added once.
  const key = useRef(crypto.randomUUID())
  const change = (value: string) => {
    setText(value)
    remember(draft, value || undefined)
  }
  const ids = attachments.files.flatMap(({ artifactId }) => artifactId ?? [])
  const canSend = (text.trim() !== '' || ids.length > 0) && !busy && !attachments.isBusy && !attachments.hasFaults
  const send = async () => {
    if (!canSend) return
    setBusy(true)
    setFault(undefined)
    try {
      // A comment has a text; files alone are named in it.
      const markdown_content = text.trim() ? text : attachments.files.map(({ name }) => name).join(', ')
      const body = { markdown_content, artifact_ids: ids }
      await clientOf(projectId).workOrders.addComment(workOrder.id, body, { idempotencyKey: key.current })
      key.current = crypto.randomUUID()
      change('')
      attachments.clear()
      await cache.invalidateQueries({ queryKey: commentsQuery(projectId, workOrder.id).queryKey })
    } catch (err) {
      setFault((err as Error).message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <CommentForm text={text} onChange={change} attachments={attachments} onSubmit={() => void send()} fault={fault}>
      <Button busy={busy} disabled={!canSend} onClick={() => void send()}>
        {fault ? 'Retry' : 'Comment'}
      </Button>
    </CommentForm>
  )
}
