import type { ArtifactOutcome } from '@slipway/sdk'
import * as api from '@slipway/sdk/resources'
import { callOf } from '../lib/client.ts'
import { defineWrite } from '../lib/outbox/index.ts'
import { showToast } from '../lib/toasts.ts'
import { ROOT_NAME } from './artifact.ts'
import { doneOf, MOST_AT_ONCE, type Named, namesOf, sayRefused } from './outcomes.ts'
import { reloadRows, showFolders, showRows } from './shown-rows.ts'

interface Placing {
  id: string
  name: string
  /** The folder it lies in, and the one it is moved to. Null for the root. */
  from: string | null
  to: string | null
}

interface Move {
  items: Placing[]
  /** What the folder is called. Undefined if they go back to where they were. */
  toName?: string
}

const saveMove = defineWrite<Move, ArtifactOutcome[]>({
  name: 'knowledge-base.move',
  waits: true,
  about: ({ items, toName = 'where it was' }) => ({
    text: `Move ${namesOf(items)} to ${toName}`,
    subjects: [...new Set(items.flatMap(({ id, to }) => [id, ...(to ? [to] : [])]))],
    part: 'place',
  }),
  async send({ items }, { projectId, key }) {
    const outcomes: ArtifactOutcome[] = []
    for (const [at, { from, to, ids }] of movesOf(items).entries()) {
      const body = { ids, parent_id: to, expected_parent_id: from }
      const options = { idempotencyKey: `${key} ${at}` }
      outcomes.push(...(await api.artifacts(callOf(projectId)).moveAll(body, options)).items)
    }
    return outcomes
  },
  show({ items }, projectId) {
    const places = new Map(items.map(({ id, to }) => [id, to]))
    const isIn = (id: string, folderId: string | null) => !places.has(id) || places.get(id) === folderId
    showRows(projectId, (rows, folderId) => rows.filter(({ id }) => isIn(id, folderId)))
    showFolders(projectId, (all) =>
      all.map((one) => (places.has(one.id) ? { ...one, parent_id: places.get(one.id)! } : one)),
    )
  },
  hide: (_, projectId) => void reloadRows(projectId),
  saved(outcomes, { items, toName }, { projectId }) {
    void reloadRows(projectId)
    const moved = doneOf(items, outcomes)
    sayRefused(items, outcomes, toName ? 'not moved' : 'not moved back')
    if (moved.length === 0) return
    if (!toName) return void showToast({ text: `${namesOf(moved)} moved back` })
    const back = moved.map(({ from, to, ...one }) => ({ ...one, from: to, to: from }))
    showToast({ text: `${namesOf(moved)} moved to ${toName}`, undo: () => void saveMove(projectId, { items: back }) })
  },
  failure: ({ items }) => `${namesOf(items)} ${items.length === 1 ? 'was' : 'were'} not moved`,
})

/** A request moves items out of one folder into one folder. */
function movesOf(items: Placing[]): { from: string | null; to: string | null; ids: string[] }[] {
  const moves = new Map<string, { from: string | null; to: string | null; ids: string[] }>()
  for (const { id, from, to } of items) {
    const move = moves.get(`${from} ${to}`) ?? { from, to, ids: [] }
    moves.set(`${from} ${to}`, move)
    move.ids.push(id)
  }
  return [...moves.values()]
}

/** Moves items to a folder. Undefined is the root. */
export function moveArtifacts(
  projectId: string,
  items: Named[],
  folder: { id: string; name: string } | undefined,
): void {
  const to = folder?.id ?? null
  const toName = folder ? `“${folder.name}”` : ROOT_NAME
  const others = items
    .filter(({ id, parent_id }) => parent_id !== to && id !== to)
    .map(({ id, name, parent_id }) => ({ id, name, from: parent_id, to }))
  for (let at = 0; at < others.length; at += MOST_AT_ONCE)
    void saveMove(projectId, { items: others.slice(at, at + MOST_AT_ONCE), toName })
}
