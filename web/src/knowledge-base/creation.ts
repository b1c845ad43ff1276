import * as api from '@slipway/sdk/resources'
import { callOf, SlipwayError } from '../lib/client.ts'
import { defineWrite } from '../lib/outbox/index.ts'
import { reloadRows } from './shown-rows.ts'

const MAX_NAMES_TRIED = 50

interface Draft {
  type: 'folder' | 'document'
  name: string
  parentId: string | null
}

/** A name that is taken gets a number, as on a desktop. */
const create = defineWrite<Draft, string>({
  name: 'knowledge-base.create',
  // Nobody expects a page to open later.
  waits: false,
  about: ({ parentId }) => ({ subjects: parentId ? [parentId] : [] }),
  async send({ type, name, parentId }, { projectId, key }) {
    for (let count = 1; ; count++) {
      const tried = count === 1 ? name : `${name} ${count}`
      try {
        const body = { type, name: tried, parent_id: parentId }
        return (await api.artifacts(callOf(projectId)).create(body, { idempotencyKey: `${key} ${count}` })).data.id
      } catch (err) {
        if (!(err instanceof SlipwayError && err.code === 'name_taken') || count === MAX_NAMES_TRIED) throw err
      }
    }
  },
  saved: (_, __, { projectId }) => void reloadRows(projectId),
  failure: ({ type, name }) => `The ${type} “${name}” was not created`,
})

/** Returns the id, or nothing if it was refused. */
export async function createArtifact(projectId: string, draft: Draft): Promise<string | undefined> {
  const outcome = await create(projectId, draft)
  return outcome.state === 'saved' ? outcome.answer : undefined
}
