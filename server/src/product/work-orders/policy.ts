import type { Actor } from '../../kernel/context.ts'
import { forbidden } from '../../kernel/errors.ts'
import type { Comment } from './work-order.ts'

/** Every member who may write can plan work. */
export { authorizeWrite } from '../projects/index.ts'

export const mayChangeComment = (actor: Actor, comment: Pick<Comment, 'author'>) =>
  actor.projectRole === 'admin' || (actor.userId !== null && comment.author?.id === actor.userId)

export function authorizeCommentChange(actor: Actor, comment: Pick<Comment, 'author'>): void {
  if (mayChangeComment(actor, comment)) return
  throw forbidden('not_author', 'Only its author or an admin of the project may change or delete this comment.')
}
