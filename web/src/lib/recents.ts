import { rememberedOwn, rememberOwn } from './own-storage.ts'

/** Something that was opened on this device, for the palette. */
export interface Recent {
  kind: string
  id: string
  number: number | null
  title: string
}

const MAX_KEPT = 8
const nameOf = (projectId: string) => `recent-${projectId}`

export function listRecents(projectId: string): Recent[] {
  try {
    return JSON.parse(rememberedOwn(nameOf(projectId)) ?? '[]') as Recent[]
  } catch {
    return []
  }
}

/** Call it when a thing is opened. The last one comes first. */
export function rememberVisit(projectId: string, { kind, id, number, title }: Recent): void {
  const others = listRecents(projectId).filter((one) => one.id !== id)
  rememberOwn(nameOf(projectId), JSON.stringify([{ kind, id, number, title }, ...others].slice(0, MAX_KEPT)))
}
