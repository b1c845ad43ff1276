import { useRouteContext } from '@tanstack/react-router'
import { useState } from 'react'
import { FileCards } from '../../artifacts/FileCard.tsx'
import { copyText } from '../../lib/copy-text.ts'
import { keepDraft, useDraft } from '../../lib/drafts.ts'
import { Markdown } from '../../lib/markdown.tsx'
import { useMayWrite } from '../../lib/may-write.ts'
import { discardWrite, retryWrite, useWrites, type Write } from '../../lib/outbox/index.ts'
import { fullTimeOf, momentOf } from '../../lib/time.ts'
import { showToast } from '../../lib/toasts.ts'
import { useUploads } from '../../lib/uploads/uploads.ts'
import { ActorMark } from '../../people/ActorMark.tsx'
import { useActorName } from '../../people/actor-name.ts'
import { Button } from '../../ui/Button.tsx'
import { IconCopy, IconPencil, IconTrash } from '../../ui/icons.ts'
import { MoreMenu } from '../../ui/MoreMenu.tsx'
import { DraftOffer, UnsavedChange, UnsavedText } from '../../ui/Unsaved.tsx'
import { Waits } from '../../ui/Waits.tsx'
import type { WorkOrder } from '../work-order.ts'
import type { Entry } from './activity.ts'
import css from './Comment.module.css'
import { CommentForm } from './CommentForm.tsx'
import { COMMENT_FILES, editComment, editOfWrite, removeComment } from './comments.ts'
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
  const mayWrite = useMayWrite()
  const { name, behalf } = useActorName(actor)
  const draft = useDraft(`comment-${comment.id}`)
  /** What the field starts with while it is edited. */
  const [edited, setEdited] = useState<string>()
  const ownWrites = useWrites(comment.id)
  const failed = ownWrites.find(({ state }) => state === 'failed')
  const failedText = failed?.kind === 'work-orders.edit-comment' ? editOfWrite(failed) : undefined
  // It has no id that the server knows while it is on its way.
  const mayChange = !write && mayWrite && (comment.author?.id === session.user.id || project.role === 'admin')
  const size = { size: 16, stroke: 1.75 }
  const about = { id: workOrder.id, number: workOrder.work_order_number, comment }
  const pick = (value: string) => {
    if (value === 'edit') setEdited(draft.draft?.text ?? comment.markdown_content)
    else if (value === 'copy') void copyText(comment.markdown_content, 'Comment copied')
    else if (confirm('Delete this comment?')) void removeComment(projectId, about)
  }
  const discardDraft = () => {
    const { draft: kept } = draft
    draft.drop()
    const undo = { label: 'Undo', run: () => kept && draft.keep(kept.text) }
    showToast({ text: 'Draft discarded', action: undo })
  }
  const save = (text: string, artifactIds: string[]) => {
    setEdited(undefined)
    draft.drop()
    if (failed) discardWrite(failed.id)
    void editComment(projectId, { ...about, text, artifactIds })
  }
  if (edited !== undefined)
    return (
      <>
        <ActorMark actor={actor} />
        <EditComment
          text={edited}
          fileIds={comment.artifact_ids}
          projectId={projectId}
          onChange={(text) => keepDraft(`comment-${comment.id}`, text)}
          onSave={save}
          onClose={(text) => {
            setEdited(undefined)
            if (text === comment.markdown_content) return draft.drop()
            draft.keep(text)
            showToast({ text: 'Draft kept', action: { label: 'Undo', run: () => setEdited(text) } })
          }}
        />
      </>
    )
  return (
    <>
      <ActorMark actor={actor} />
      {failed && failedText ? (
        <UnsavedText
          label="Comment"
          text={failedText.text}
          write={failed}
          onRetry={() => retryWrite(failed.id)}
          onEdit={() => setEdited(failedText.text)}
          onKeep={() => {
            draft.keep(failedText.text)
            discardWrite(failed.id)
          }}
        />
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
            <Waits write={ownWrites.at(-1)} />
            <span className={section.grow} />
            <MoreMenu
              label="More about the comment"
              small
              options={[
                { value: 'copy', label: 'Copy text', icon: <IconCopy {...size} /> },
                ...(mayChange
                  ? [
                      { value: 'edit', label: 'Edit', icon: <IconPencil {...size} /> },
                      { value: 'delete', label: 'Delete…', icon: <IconTrash {...size} />, divided: true },
                    ]
                  : []),
              ]}
              onPick={(value) => {
                pick(value)
              }}
            />
          </div>
          <Markdown text={comment.markdown_content} />
          <FileCards projectId={projectId} ids={comment.artifact_ids} />
          {draft.draft && mayChange && (
            <DraftOffer draft={draft.draft} onContinue={() => setEdited(draft.draft!.text)} onDiscard={discardDraft} />
          )}
          {failed && <UnsavedChange write={failed} />}
        </div>
      )}
    </>
  )
}

interface EditProps {
  text: string
  fileIds: string[]
  projectId: string
  onChange(text: string): void
  onSave(text: string, fileIds: string[]): void
  onClose(text: string): void
}

function EditComment({ text: first, fileIds, projectId, onChange, onSave, onClose }: EditProps) {
  const [text, setText] = useState(first)
  const attachments = useUploads(projectId, COMMENT_FILES)
  const [kept, setKept] = useState(fileIds)
  const canSave = text.trim() !== '' && attachments.isDone
  const save = () => {
    if (canSave) onSave(text, [...kept, ...attachments.ids])
  }
  const change = (value: string) => {
    setText(value)
    onChange(value)
  }
  const close = () => onClose(text)
  return (
    <CommentForm text={text} onChange={change} attachments={attachments} onSubmit={save} onCancel={close} autoFocus>
      {kept.length > 0 && (
        <Button look="quiet" onClick={() => setKept([])}>
          Take {kept.length === 1 ? 'its file' : `its ${kept.length} files`} off
        </Button>
      )}
      <Button look="quiet" onClick={close}>
        Cancel
      </Button>
      <Button look="primary" disabled={!canSave} onClick={save}>
        Save
      </Button>
    </CommentForm>
  )
}
