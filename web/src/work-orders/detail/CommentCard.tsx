import type { Change } from '@slipway/sdk'
import { useRouteContext } from '@tanstack/react-router'
import { useState } from 'react'
import { FileCards } from '../../artifacts/FileCard.tsx'
import { Comment } from '../../comments/Comment.tsx'
import { Composer } from '../../comments/Composer.tsx'
import { deleteWithUndo } from '../../lib/delete-with-undo.ts'
import { useMayWrite } from '../../lib/may-write.ts'
import { useWrites, type Write } from '../../lib/outbox/index.ts'
import { useUploads } from '../../lib/uploads/uploads.ts'
import { ActorMark } from '../../people/ActorMark.tsx'
import { Button } from '../../ui/Button.tsx'
import { LongTextState, UnsavedLongText } from '../../ui/LongText.tsx'
import { UnsavedChange } from '../../ui/Unsaved.tsx'
import { type LongText, useLongText } from '../../ui/use-long-text.ts'
import { Waits } from '../../ui/Waits.tsx'
import type { WorkOrder, WorkOrderComment } from '../work-order.ts'
import { COMMENT_FIELD, COMMENT_FILES, editComment, editOfWrite, removeComment } from './comments.ts'

interface Props {
  comment: WorkOrderComment
  actor: Change['actor']
  workOrder: WorkOrder
  projectId: string
  /** Set while the comment has not reached the server. */
  write: Write | undefined
}

export function CommentCard({ comment, actor, workOrder, projectId, write }: Props) {
  const { session, project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const mayWrite = useMayWrite()
  const writes = useWrites(comment.id)
  const removal = writes.find(({ kind, state }) => kind === 'work-orders.remove-comment' && state === 'failed')
  // It has no id that the server knows while it is on its way.
  const mayChange = !write && mayWrite && (comment.author?.id === session.user.id || project.role === 'admin')
  const about = { id: workOrder.id, number: workOrder.work_order_number, comment }
  const edit = useLongText({
    draft: `comment-${comment.id}`,
    start: { text: comment.markdown_content, etag: undefined },
    write: writes.find(({ kind }) => kind === 'work-orders.edit-comment'),
    lost(failed) {
      const { text, comment: before } = editOfWrite(failed)
      return { text, from: { text: before.markdown_content, etag: undefined } }
    },
    send: (text) => void editComment(projectId, { ...about, text, artifactIds: comment.artifact_ids }),
  })
  return (
    <>
      <ActorMark actor={actor} />
      {edit.text !== undefined ? (
        <EditComment
          edit={edit}
          text={edit.text}
          fileIds={comment.artifact_ids}
          projectId={projectId}
          onSave={(text, artifactIds) => {
            edit.finish()
            void editComment(projectId, { ...about, text, artifactIds })
          }}
        />
      ) : edit.failed ? (
        <UnsavedLongText label="Comment" edit={edit} />
      ) : (
        <Comment
          actor={actor}
          at={comment.created_at}
          isEdited={comment.updated_at !== comment.created_at}
          text={comment.markdown_content}
          isWide
          canCopy
          onEdit={mayChange ? edit.open : undefined}
          onDelete={
            mayChange
              ? () => deleteWithUndo(comment.id, 'Comment deleted', () => void removeComment(projectId, about))
              : undefined
          }
          state={
            <>
              <Waits write={write}>Waiting to send</Waits>
              <Waits write={writes.at(-1)} />
            </>
          }
          below={
            <>
              <FileCards projectId={projectId} ids={comment.artifact_ids} />
              {mayChange && edit.draft && <LongTextState edit={edit} />}
              {removal && <UnsavedChange write={removal} />}
            </>
          }
        />
      )}
    </>
  )
}

interface EditProps {
  edit: LongText
  text: string
  fileIds: string[]
  projectId: string
  onSave(text: string, fileIds: string[]): void
}

function EditComment({ edit: { change, cancel }, text, fileIds, projectId, onSave }: EditProps) {
  const attachments = useUploads(projectId, COMMENT_FILES)
  const [kept, setKept] = useState(fileIds)
  const canSave = text.trim() !== '' && attachments.isDone
  const save = () => {
    if (canSave) onSave(text, [...kept, ...attachments.ids])
  }
  return (
    <Composer
      {...COMMENT_FIELD}
      text={text}
      onChange={change}
      attachments={attachments}
      onSend={save}
      onCancel={cancel}
      autoFocus
    >
      {kept.length > 0 && (
        <Button look="quiet" onClick={() => setKept([])}>
          Take {kept.length === 1 ? 'its file' : `its ${kept.length} files`} off
        </Button>
      )}
      <Button look="quiet" onClick={cancel}>
        Cancel
      </Button>
      <Button look="primary" disabled={!canSave} onClick={save}>
        Save
      </Button>
    </Composer>
  )
}
