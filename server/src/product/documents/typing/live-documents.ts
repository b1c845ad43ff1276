import type { Actor } from '../../../kernel/context.ts'
import type { LiveText, LiveTexts } from '../../../kernel/slice.ts'
import type { ResourceType } from '../../links/index.ts'
import { nextChanges, type PendingChange, selectChanges } from '../changes/changes.ts'
import type { Document, LockedDocument } from '../document.ts'
import { checkChanged } from '../markdown.ts'
import { findDocument, lockDocument } from '../queries.ts'
import { writeTyped } from './folding.ts'
import { findVersionContent } from './typing-queries.ts'

/** How people edit the documents of a kind together: what they type becomes versions, what they suggest its changes. */
export const liveDocuments = (kind: ResourceType): LiveTexts<Document & LiveText, LockedDocument & LiveText> => ({
  rows: { table: 'documents', where: `t.kind = '${kind}'`, version: 't.version_id::text' },

  async find(db, projectId, id) {
    const document = await findDocument(db, projectId, kind, id)
    return document && { ...document, version: document.versionId }
  },

  async lock(db, projectId, id) {
    const document = await lockDocument(db, projectId, kind, id)
    return document && { ...document, version: document.versionId }
  },

  findContent: findVersionContent,

  listChangeIds: async (ctx, id) => idsOf(await selectChanges(ctx, id)),

  async prepareWrite(ctx, document, { markdownContent, heldIds, authors, suggestedBy }) {
    await checkChanged(ctx, markdownContent)
    const next = await nextChanges(ctx, document, markdownContent, { heldIds })
    const changes = next?.map((change) => withAuthor(change, suggestedBy[change.id]))
    return {
      changeIds: idsOf(changes ?? []),
      async write(ctx, locked) {
        const written = await writeTyped(ctx, locked, { markdownContent, changes, authors })
        return { version: written.versionId }
      },
    }
  },
})

const idsOf = (changes: PendingChange[]) => changes.map(({ id }) => id)

const withAuthor = (change: PendingChange, by: Actor | undefined): PendingChange =>
  by ? { ...change, author: { userId: by.userId, userName: by.userName, origin: 'user' } } : change
