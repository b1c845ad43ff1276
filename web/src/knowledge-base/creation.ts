import * as api from '@slipway/sdk/resources'
import { callOf } from '../lib/client.ts'
import { defineWrite } from '../lib/outbox/index.ts'
import { withFreeName } from '../lib/uploads/free-name.ts'
import { reloadRows } from './shown-rows.ts'

interface Draft {
  type: 'folder' | 'document'
  name: string
  parentId: string | null
}

const create = defineWrite<Draft, string>({
  name: 'knowledge-base.create',
  // Nobody expects a page to open later.
  waits: false,
  about: ({ parentId }) => ({ subjects: parentId ? [parentId] : [] }),
  send: ({ type, name, parentId }, { projectId, key }) =>
    withFreeName(name, false, async (name, count) => {
      const body = { type, name, parent_id: parentId }
      return (await api.artifacts(callOf(projectId)).create(body, { idempotencyKey: `${key} ${count}` })).data.id
    }),
  saved: (_, __, { projectId }) => void reloadRows(projectId),
  failure: ({ type, name }) => `The ${type} “${name}” was not created`,
})

/** Creates it under a name that is free. Returns the id, or nothing if it was refused. */
export async function createArtifact(projectId: string, draft: Draft): Promise<string | undefined> {
  const outcome = await create(projectId, draft)
  return outcome.state === 'saved' ? outcome.answer : undefined
}
