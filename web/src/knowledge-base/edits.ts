import type { ArtifactOutcome } from '@slipway/sdk'
import * as api from '@slipway/sdk/resources'
import { callOf } from '../lib/client.ts'
import { compareTitles } from '../lib/outbox/compare-titles.ts'
import { defineWrite } from '../lib/outbox/index.ts'
import { showToast } from '../lib/toasts.ts'
import { undoUnlessChanged } from '../lib/undo-unless-changed.ts'
import type { Row } from './artifact.ts'
import { doneOf, MOST_AT_ONCE, type Named, namesOf, sayRefused } from './outcomes.ts'
import { readRow, reloadRows, showFolders, showRow, showRows } from './shown-rows.ts'

interface Renaming {
  id: string
  name: string
  before: string
}

const saveName = defineWrite<Renaming, unknown>({
  name: 'knowledge-base.rename',
  waits: true,
  words: ({ name }) => [name],
  about: ({ id, name, before }) => ({ text: `“${before}” to “${name}”`, subjects: [id], part: 'name' }),
  send: ({ id, name, before }, { projectId }) =>
    api.artifacts(callOf(projectId)).update(id, { name, expected_name: before }),
  show: ({ id, name }, projectId) => showName(projectId, id, name),
  hide({ id, before }, projectId) {
    showName(projectId, id, before)
    void reloadRows(projectId)
  },
  saved(_, { id, name, before }, { projectId }) {
    void reloadRows(projectId)
    const undo = () =>
      void undoUnlessChanged({
        projectId,
        what: `the name of “${before}”`,
        isAsLeft: async () => (await readRow(projectId, id))?.name === name,
        isSuch: ({ subject_id, kind }) => subject_id === id && /updated|deleted/.test(kind),
        run: () => renameArtifact(projectId, id, name, before),
      })
    showToast({ text: `Renamed to “${name}”`, undo })
  },
  failure: ({ before }) => `“${before}” was not renamed`,
  comparison: compareTitles({
    called: ({ before }) => `Name of “${before}”`,
    of: ({ id, name, before }) => ({ id, title: name, before }),
    rebased: ({ id }, name, before) => ({ id, name, before }),
    read: async ({ id }, projectId) => (await readRow(projectId, id))?.name,
    isRenaming: ({ payload }) => (payload.fields as string[] | undefined)?.includes('name') ?? false,
    show({ id }, name, projectId) {
      showName(projectId, id, name)
      void reloadRows(projectId)
    },
  }),
})

function showName(projectId: string, id: string, name: string): void {
  showRows(projectId, (rows) => rows.map((row) => (row.id === id ? { ...row, name } : row)))
  showFolders(projectId, (folders) => folders.map((one) => (one.id === id ? { ...one, name } : one)))
  showRow(projectId, id, { name })
}

/** `before` is the name that the person saw. */
export function renameArtifact(projectId: string, id: string, before: string, name: string): void {
  if (name !== before) void saveName(projectId, { id, name, before })
}

const removeArtifacts = defineWrite<{ items: Named[] }, ArtifactOutcome[]>({
  name: 'knowledge-base.trash',
  // Sent later, it would delete what others have written in it since.
  waits: false,
  about: ({ items }) => ({ subjects: items.map(({ id }) => id) }),
  send: async ({ items }, { projectId, key }) =>
    (await api.artifacts(callOf(projectId)).trashAll({ ids: items.map(({ id }) => id) }, { idempotencyKey: key }))
      .items,
  show({ items }, projectId) {
    const ids = new Set(items.map(({ id }) => id))
    showRows(projectId, (rows) => rows.filter(({ id }) => !ids.has(id)))
    showFolders(projectId, (folders) => folders.filter(({ id }) => !ids.has(id)))
  },
  hide: (_, projectId) => void reloadRows(projectId),
  saved(outcomes, { items }, { projectId }) {
    void reloadRows(projectId)
    const gone = doneOf(items, outcomes)
    sayRefused(items, outcomes, 'not deleted')
    if (gone.length === 0) return
    showToast({ text: `${namesOf(gone)} moved to the trash`, undo: () => void restoreArtifacts(projectId, gone) })
  },
  failure: ({ items }) => `${namesOf(items)} ${items.length === 1 ? 'was' : 'were'} not deleted`,
})

export function trashArtifacts(projectId: string, items: Named[]): void {
  for (let at = 0; at < items.length; at += MOST_AT_ONCE)
    void removeArtifacts(projectId, { items: items.slice(at, at + MOST_AT_ONCE) })
}

type InTrash = Pick<Row, 'id' | 'name'>

const bringBack = defineWrite<{ items: InTrash[] }, ArtifactOutcome[]>({
  name: 'knowledge-base.restore',
  waits: false,
  about: ({ items }) => ({ subjects: items.map(({ id }) => id) }),
  send: async ({ items }, { projectId, key }) =>
    (await api.artifacts(callOf(projectId)).restoreAll({ ids: items.map(({ id }) => id) }, { idempotencyKey: key }))
      .items,
  saved(outcomes, { items }, { projectId }) {
    void reloadRows(projectId)
    const back = doneOf(items, outcomes)
    sayRefused(items, outcomes, 'not restored')
    if (back.length > 0) showToast({ text: `${namesOf(back)} restored` })
  },
  failure: ({ items }) => `${namesOf(items)} ${items.length === 1 ? 'was' : 'were'} not restored`,
})

export const restoreArtifacts = (projectId: string, items: InTrash[]) => bringBack(projectId, { items })

export const deleteForever = defineWrite<InTrash, unknown>({
  name: 'knowledge-base.delete',
  waits: false,
  about: ({ id }) => ({ subjects: [id] }),
  send: ({ id }, { projectId }) => api.artifacts(callOf(projectId)).deleteForever(id),
  saved: (_, __, { projectId }) => void reloadRows(projectId),
  failure: ({ name }) => `“${name}” was not deleted`,
})
