import type { AnchoredThread } from '@slipway/sdk'
import { useRouteContext } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Comment } from '../../comments/Comment.tsx'
import { Composer } from '../../comments/Composer.tsx'
import { isNew } from '../../lib/ids.ts'
import { LongTextState, UnsavedLongText } from '../../ui/LongText.tsx'
import { type Authored, actorOf, doorOf } from '../author.ts'
import css from './CommentCard.module.css'
import type { Comments, Message } from './use-comments.ts'
import { useMessageEdit } from './use-message-edit.ts'

interface Props {
  message: Message
  by: Authored
  thread: AnchoredThread
  comments: Comments
  mayWrite: boolean
  /** What stands at the end of the first line. */
  children?: ReactNode
}

/** One comment. Its author edits and deletes it, and an admin deletes it. */
export function MessageView({ message, by, thread, comments, mayWrite, children }: Props) {
  const { session, project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const edit = useMessageEdit(thread, message, comments)
  const isOwn = mayWrite && message.created_by_id === session.user.id
  const mayDelete = isOwn || (mayWrite && project.role === 'admin')
  const { text } = edit
  const field = text !== undefined && (
    <Composer
      label="Edit the comment"
      placeholder="Comment…"
      text={text}
      autoFocus
      onChange={edit.change}
      onSend={() => text.trim() && edit.save(text.trim())}
      onCancel={edit.cancel}
    />
  )
  return (
    <div className={css.message}>
      <Comment
        actor={actorOf(by)}
        door={doorOf(by)}
        at={message.created_at}
        isEdited={message.is_edited}
        text={message.message}
        onEdit={isOwn && !isNew(message) ? edit.open : undefined}
        onDelete={mayDelete ? () => comments.remove(thread, message) : undefined}
        editing={field || (edit.failed && <UnsavedLongText label="Comment" edit={edit} />)}
        below={isOwn && text === undefined && !edit.failed && <LongTextState edit={edit} />}
      >
        {children}
      </Comment>
    </div>
  )
}
