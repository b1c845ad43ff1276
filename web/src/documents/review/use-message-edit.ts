import type { AnchoredThread } from '@slipway/sdk'
import { useWrites } from '../../lib/outbox/index.ts'
import { useLongText } from '../../ui/use-long-text.ts'
import { editOfWrite } from './comment-edits.ts'
import type { Comments, Message } from './use-comments.ts'

/** Editing a comment. */
export const useMessageEdit = (thread: AnchoredThread, message: Message, comments: Comments) =>
  useLongText({
    draft: `edit-${message.id}`,
    start: { text: message.message, etag: undefined },
    write: useWrites(thread.id).find(
      (write) => write.kind === 'documents.edit-comment' && editOfWrite(write).message.id === message.id,
    ),
    lost(failed) {
      const { text, message: before } = editOfWrite(failed)
      return { text, from: { text: before.message, etag: undefined } }
    },
    send: (text) => comments.edit(thread, message, text),
  })
