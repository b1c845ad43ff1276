import { useQueryClient } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { useState } from 'react'
import { clientOf } from '../../lib/client.ts'
import { Markdown } from '../../lib/markdown.tsx'
import type { Write } from '../../lib/outbox/index.ts'
import { fullTimeOf, momentOf } from '../../lib/time.ts'
import { ActorMark } from '../../ui/ActorMark.tsx'
import { Button, IconButton } from '../../ui/Button.tsx'
import { IconCopy, IconDots, IconPencil, IconTrash } from '../../ui/icons.ts'
import { Pick } from '../../ui/Pick.tsx'
import { PopUp } from '../../ui/PopUp.tsx'
import { Waits } from '../../ui/Waits.tsx'
import { commentsQuery } from '../api.ts'
import { removeComment } from '../comments.ts'
import { copyText } from '../copy-for-agent.ts'
import type { WorkOrder } from '../work-order.ts'
import type { Entry } from './activity.ts'
import { useActorName } from './actor-name.ts'
import { useAttachments } from './attachments.ts'
import css from './Comment.module.css'
import { CommentFiles } from './CommentFiles.tsx'
import { CommentForm } from './CommentForm.tsx'
import section from './Section.module.css'

interface Props {
  entry: Extract<Entry, { kind: 'comment' }>
  workOrder: WorkOrder
  projectId: string
  /** Set while the comment has not reached the server. */
  write: Write | undefined
}

export function CommentCard({ entry: { comment, actor }, workOrder, projectId, write }: Props) {
  const { session, project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const { name, behalf } = useActorName(actor)
  const [isEdited, setIsEdited] = useState(false)
  // It has no id that the server knows while it is on its way.
  const mayChange = !write && (comment.author?.id === session.user.id || project.role === 'admin')
  const size = { size: 16, stroke: 1.75 }
  const remove = () => {
    const about = { id: workOrder.id, number: workOrder.work_order_number }
    if (confirm('Delete this comment?')) void removeComment(projectId, { ...about, comment })
  }
  const pick = (value: string) => {
    if (value === 'edit') setIsEdited(true)
    else if (value === 'copy') void copyText(comment.markdown_content, 'Comment copied')
    else remove()
  }
  return (
    <>
      <ActorMark actor={actor} />
      {isEdited ? (
        <EditComment {...{ comment, workOrder, projectId }} onClose={() => setIsEdited(false)} />
      ) : (
        <div className={css.card}>
          <div className={css.head}>
            <strong>{name}</strong>
            {behalf && <span className={css.for}>for {behalf}</span>}
            <time dateTime={comment.created_at} title={fullTimeOf(comment.created_at)}>
              {momentOf(comment.created_at)}
              {comment.updated_at !== comment.created_at && ' · edited'}
            </time>
            <Waits write={write}>Waiting to send</Waits>
            <span className={section.grow} />
            <PopUp
              place="bottom-end"
              target={({ toggle, open }) => (
                <IconButton label="More about the comment" small aria-expanded={open} onClick={toggle}>
                  <IconDots {...size} />
                </IconButton>
              )}
            >
              {(close) => (
                <Pick
                  selected={[]}
                  onPick={(value) => {
                    close()
                    pick(value)
                  }}
                  options={[
                    { value: 'copy', label: 'Copy text', icon: <IconCopy {...size} /> },
                    ...(mayChange
                      ? [
                          { value: 'edit', label: 'Edit', icon: <IconPencil {...size} /> },
                          { value: 'delete', label: 'Delete…', icon: <IconTrash {...size} />, divided: true },
                        ]
                      : []),
                  ]}
                />
              )}
            </PopUp>
          </div>
          <Markdown text={comment.markdown_content} />
          <CommentFiles projectId={projectId} ids={comment.artifact_ids} />
        </div>
      )}
    </>
  )
}

interface EditProps extends Omit<Props, 'entry' | 'write'> {
  comment: Props['entry']['comment']
  onClose(): void
}

function EditComment({ comment, workOrder, projectId, onClose }: EditProps) {
  const cache = useQueryClient()
  const [text, setText] = useState(comment.markdown_content)
  const [fault, setFault] = useState<string>()
  const [busy, setBusy] = useState(false)
  const attachments = useAttachments(projectId)
  const [kept, setKept] = useState(comment.artifact_ids)
  const canSave = text.trim() !== '' && !busy && !attachments.isBusy && !attachments.hasFaults
  const save = async () => {
    if (!canSave) return
    setBusy(true)
    setFault(undefined)
    try {
      const artifact_ids = [...kept, ...attachments.files.flatMap(({ artifactId }) => artifactId ?? [])]
      const body = { markdown_content: text, artifact_ids }
      await clientOf(projectId).workOrders.updateComment(workOrder.id, comment.id, body)
      await cache.invalidateQueries({ queryKey: commentsQuery(projectId, workOrder.id).queryKey })
      onClose()
    } catch (err) {
      setFault((err as Error).message)
      setBusy(false)
    }
  }
  return (
    <CommentForm
      text={text}
      onChange={setText}
      attachments={attachments}
      onSubmit={() => void save()}
      onCancel={onClose}
      autoFocus
      fault={fault}
    >
      {kept.length > 0 && (
        <Button look="quiet" onClick={() => setKept([])}>
          Take {kept.length === 1 ? 'its file' : `its ${kept.length} files`} off
        </Button>
      )}
      <Button look="quiet" onClick={onClose}>
        Cancel
      </Button>
      <Button look="primary" busy={busy} disabled={!canSave} onClick={() => void save()}>
        Save
      </Button>
    </CommentForm>
  )
}
