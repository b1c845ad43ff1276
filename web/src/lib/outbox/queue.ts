import { queryClient } from '../query-client.ts'
import { reportFault } from '../report-fault.ts'
import { createStore, useStore } from '../store.ts'
import { forgetWrite, storeWrite } from './stored-writes.ts'
import type { Write, WriteKind } from './write.ts'

/** What is not saved yet, the oldest first. */
export const writes = createStore<readonly Write[]>([])

// biome-ignore lint/suspicious/noExplicitAny: each kind has its own input and answer.
export const kinds = new Map<string, WriteKind<any, any>>()

let owner: string | undefined
export const ownerOf = () => owner
export const setOwner = (userId: string) => {
  owner = userId
}

export const findWrite = (id: string) => writes.get().find((one) => one.id === id)

/** What is not saved yet of one thing. */
export const useWrites = (subject: string): readonly Write[] => {
  const all = useStore(writes)
  return all.filter((write) => write.subjects.includes(subject))
}

/** Puts writes where they belong in time. */
export function enqueue(...added: Write[]): void {
  writes.set((all) => [...all, ...added].sort((a, b) => a.at - b.at))
}

export function store(write: Write): void {
  if (owner !== undefined && write.waits) storeWrite(owner, write)
}

export function update(id: string, part: Partial<Write>): void {
  writes.set((all) => all.map((one) => (one.id === id ? { ...one, ...part } : one)))
  const write = findWrite(id)
  if (write) store(write)
}

export function remove(id: string): void {
  const write = findWrite(id)
  if (write) forgetWrite(write)
  writes.set((all) => all.filter((one) => one.id !== id))
}

export const show = ({ kind, input, projectId }: Write) => reportFault(() => kinds.get(kind)?.show?.(input, projectId))

export function hide({ kind, input, projectId }: Write): void {
  reportFault(() => kinds.get(kind)?.hide?.(input, projectId))
  showWrites(projectId)
}

/** Shows again what is not saved yet, over data that was put into the cache by hand. */
export function showWrites(projectId: string): void {
  for (const write of writes.get()) if (isShown(write) && [projectId, ''].includes(write.projectId)) show(write)
}

/** The same for one kind, once its code is loaded. */
export function showWritesOf(kind: string): void {
  for (const write of writes.get()) if (isShown(write) && write.kind === kind) show(write)
}

const isShown = ({ state }: Write) => state === 'waiting' || state === 'sending' || state === 'conflict'

// Data that was read before a write was carried out must not hide it.
queryClient.getQueryCache().subscribe((event) => {
  if (event.type !== 'updated' || event.action.type !== 'success' || event.action.manual) return
  showWrites(String(event.query.queryKey[0]))
})

export const wordsOf = ({ kind, input, merged }: Write): string[] =>
  merged ? [merged] : (kinds.get(kind)?.words?.(input) ?? []).filter((one): one is string => Boolean(one))
