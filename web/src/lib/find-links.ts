import type { Found } from '@slipway/sdk'
import * as api from '@slipway/sdk/resources'
import type { AnyRouter } from '@tanstack/react-router'
import { callOf } from './client.ts'
import { codeOf, hrefOf, isKind, kindNameOf } from './kinds.ts'
import { listRecents } from './recents.ts'
import { addressOfFile } from './uploads/files.ts'

/** Something of the project that a text can point to. */
export interface LinkTarget {
  id: string
  found: Found
  /** What the link says. */
  text: string
  kind: string
  href: string
}

export type FindLinks = (words: string, signal: AbortSignal) => Promise<LinkTarget[]>

const MAX_EACH = 4
const MAX_SHOWN = 12

/** Finds what the palette finds: by words or number, and without any words what was opened last. */
export const findLinks =
  (projectId: string, router: AnyRouter): FindLinks =>
  async (words, signal) => {
    const found = words.trim() === '' ? recentOf(projectId) : await search(projectId, words.trim(), signal)
    return found.flatMap((one) => {
      const href = hrefOf(router, projectId, one) ?? (one.kind === 'artifact' ? addressOfFile(one.id) : undefined)
      if (!href) return []
      const code = codeOf(one)
      const text = one.kind === 'person' ? `@${one.title}` : code ? `${code} ${one.title}` : one.title
      return [{ id: one.id, found: one, text, kind: nameOf(one), href }]
    })
  }

const nameOf = (one: Found) => (one.kind === 'person' ? 'Person' : kindNameOf(one))

const recentOf = (projectId: string) =>
  listRecents(projectId)
    .filter(({ kind }) => isKind(kind))
    .map((one): Found => ({ ...one, kind: one.kind as Found['kind'], status: null, detail: null, snippet: null }))

async function search(projectId: string, words: string, signal: AbortSignal): Promise<Found[]> {
  const { items } = await api.search(callOf(projectId)).everywhere({ q: words, limit: MAX_EACH }, { signal })
  // What has the words in its name comes before what has them in its text.
  return [...items.filter(({ snippet }) => snippet === null), ...items.filter(({ snippet }) => snippet !== null)].slice(
    0,
    MAX_SHOWN,
  )
}
