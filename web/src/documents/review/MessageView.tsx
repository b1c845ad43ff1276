import type { AnchoredThread } from '@slipway/sdk'
import { useRouteContext } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { Markdown } from '../../lib/markdown.tsx'
import { IconPencil, IconTrash } from '../../ui/icons.ts'
import { MoreMenu } from '../../ui/MoreMenu.tsx'
import type { Authored } from '../author.ts'
import { AuthorLine } from './Author.tsx'
import css from './CommentCard.module.css'
import { CommentField } from './CommentField.tsx'
import type { Comments, Message } from './use-comments.ts'

interface Props {
  message: Message
  by: Authored
  thread: AnchoredThread
  comments: Comments
  mayWrite: boolean
  /** What stands at the end of the first line. */
  children?: ReactNode
}

const SIZE = { size: 16, stroke: 1.75 }

/** One comment. Its author edits and deletes it, and an admin deletes it. */
export function MessageView({ message, by, thread, comments, mayWrite, children }: Props) {
  const { session, project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const [isEditing, setEditing] = useState(false)
  const isOwn = message.created_by_id === session.user.id
  const options = [
    ...(isOwn ? [{ value: 'edit', label: 'Edit', icon: <IconPencil {...SIZE} /> }] : []),
    ...(isOwn || project.role === 'admin'
      ? [{ value: 'delete', label: 'Delete', icon: <IconTrash {...SIZE} />, danger: true }]
      : []),
  ]
  return (
    <div className={css.message}>
      <AuthorLine by={by} at={message.created_at} note={message.is_edited ? 'edited' : undefined}>
        {children}
        {mayWrite && !isEditing && options.length > 0 && (
          <MoreMenu
            small
            label="More about the comment"
            options={options}
            onPick={(value) => (value === 'edit' ? setEditing(true) : comments.remove(thread, message))}
          />
        )}
      </AuthorLine>
      {isEditing ? (
        <CommentField
          draft={`edit-${message.id}`}
          label="Edit the comment"
          placeholder="Comment…"
          initial={message.message}
          autoFocus
          onSend={async (text) => {
            const done = await comments.edit(thread, message, text)
            if (done) setEditing(false)
            return done
          }}
          onCancel={() => setEditing(false)}
        />
      ) : (
        <div className={css.text}>
          <Markdown text={message.message} />
        </div>
      )}
    </div>
  )
}
