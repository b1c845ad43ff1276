import type { ArtifactOutcome } from '@slipway/sdk'
import * as api from '@slipway/sdk/resources'
import { callOf } from '../lib/client.ts'
import { countOf } from '../lib/numbers.ts'
import { defineWrite } from '../lib/outbox/index.ts'
import { showToast } from '../lib/toasts.ts'
import { undoUnlessChanged } from '../lib/undo-unless-changed.ts'
import type { Row } from './artifact.ts'
import { readRow, reloadRows, showFolders, showRow, showRows } from './shown-rows.ts'

/** What a write needs to know of a row. */
export type Named = Pick<Row, 'id' | 'name' | 'parent_id'>

/** As many as the server takes at once. */
const MOST = 200

const namesOf = (items: { name: string }[]) =>
  items.length === 1 ? `“${items[0]!.name}”` : countOf(items.length, 'item')

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
  send: ({ id, name }, { projectId }) => api.artifacts(callOf(projectId)).update(id, { name }),
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
        run: () => void saveName(projectId, { id, name: before, before: name }),
      })
    showToast({ text: `Renamed to “${name}”`, undo })
  },
  failure: ({ before }) => `“${before}” was not renamed`,
})

function showName(projectId: string, id: string, name: string): void {
  showRows(projectId, (rows) => rows.map((row) => (row.id === id ? { ...row, name } : row)))
  showFolders(projectId, (folders) => folders.map((one) => (one.id === id ? { ...one, name } : one)))
  showRow(projectId, id, { name })
}

export function renameArtifact(projectId: string, { id, name: before }: Pick<Row, 'id' | 'name'>, name: string): void {
  if (name !== before) void saveName(projectId, { id, name, before })
}

interface Move {
  items: Named[]
  /** Null for the root. */
  to: string | null
  /** What the folder is called. */
  toName: string
  isUndo?: boolean
}

const saveMove = defineWrite<Move, ArtifactOutcome[]>({
  name: 'knowledge-base.move',
  waits: true,
  about: ({ items, to, toName }) => ({
    text: `Move ${namesOf(items)} to ${toName}`,
    subjects: [...items.map(({ id }) => id), ...(to ? [to] : [])],
    part: 'place',
  }),
  send: async ({ items, to }, { projectId, key }) =>
    (
      await api
        .artifacts(callOf(projectId))
        .moveAll({ ids: items.map(({ id }) => id), parent_id: to }, { idempotencyKey: key })
    ).items,
  show({ items, to }, projectId) {
    const ids = new Set(items.map(({ id }) => id))
    showRows(projectId, (rows, folderId) => (folderId === to ? rows : rows.filter(({ id }) => !ids.has(id))))
    showFolders(projectId, (all) => all.map((one) => (ids.has(one.id) ? { ...one, parent_id: to } : one)))
  },
  hide: (_, projectId) => void reloadRows(projectId),
  saved(outcomes, move, { projectId }) {
    void reloadRows(projectId)
    const { items, toName, isUndo } = move
    const moved = doneOf(items, outcomes)
    sayRefused(items, outcomes, 'was not moved')
    if (moved.length === 0) return
    if (isUndo) return void showToast({ text: `${namesOf(moved)} moved back` })
    showToast({ text: `${namesOf(moved)} moved to ${toName}`, undo: () => undoMove(projectId, moved, move) })
  },
  failure: ({ items }) => `${namesOf(items)} ${items.length === 1 ? 'was' : 'were'} not moved`,
})

function undoMove(projectId: string, moved: Named[], { to }: Move): void {
  for (const from of new Set(moved.map(({ parent_id }) => parent_id))) {
    const items = moved.filter(({ parent_id }) => parent_id === from)
    void undoUnlessChanged({
      projectId,
      what: `the place of ${namesOf(items)}`,
      isAsLeft: async () => (await readRow(projectId, items[0]!.id))?.parent_id === to,
      isSuch: ({ subject_id, kind }) => subject_id === items[0]!.id && /updated|deleted/.test(kind),
      run: () => void saveMove(projectId, { items, to: from, toName: 'where it was', isUndo: true }),
    })
  }
}

export function moveArtifacts(projectId: string, items: Named[], to: { id: string | null; name: string }): void {
  const others = items.filter(({ id, parent_id }) => parent_id !== to.id && id !== to.id)
  for (let at = 0; at < others.length; at += MOST)
    void saveMove(projectId, { items: others.slice(at, at + MOST), to: to.id, toName: to.name })
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
    sayRefused(items, outcomes, 'was not deleted')
    if (gone.length === 0) return
    showToast({ text: `${namesOf(gone)} moved to the trash`, undo: () => void restoreArtifacts(projectId, gone) })
  },
  failure: ({ items }) => `${namesOf(items)} ${items.length === 1 ? 'was' : 'were'} not deleted`,
})

export function trashArtifacts(projectId: string, items: Named[]): void {
  for (let at = 0; at < items.length; at += MOST) void removeArtifacts(projectId, { items: items.slice(at, at + MOST) })
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
    sayRefused(items, outcomes, 'was not restored')
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

function doneOf<T extends InTrash>(items: T[], outcomes: ArtifactOutcome[]): T[] {
  const refused = new Set(outcomes.filter(({ refusal }) => refusal !== null).map(({ id }) => id))
  return items.filter(({ id }) => !refused.has(id))
}

function sayRefused(items: InTrash[], outcomes: ArtifactOutcome[], what: string): void {
  const refused = outcomes.filter(({ refusal }) => refusal !== null)
  const [first] = refused
  if (!first) return
  const name = items.find(({ id }) => id === first.id)?.name ?? ''
  const text =
    refused.length === 1 ? `“${name}” ${what}` : `${countOf(refused.length, 'item')}: ${what.replace('was', 'were')}`
  showToast({ text, detail: first.refusal!, tone: 'error' })
}
