import { forgetWritesOf, storedIdsOf } from './outbox/stored-writes.ts'
import { remember, remembered } from './storage.ts'
import { noteKept } from './unkept.ts'

/*
 * What this device keeps for one person: drafts, and what they opened. The names contain the person, so the next one who
 * signs in on this browser sees nothing of it.
 */

const DRAFT = 'draft-'
let owner: string | undefined

/** Must be called before a page of that person is drawn. */
export const setStorageOwner = (userId: string) => {
  owner = userId
}

export const rememberedOwn = (name: string) => (owner ? remembered(`own-${owner}-${name}`) : undefined)

export const rememberOwn = (name: string, value: string | undefined): boolean =>
  owner !== undefined && remember(`own-${owner}-${name}`, value)

/** Drafts that the browser has no room for, under the names of their owners. */
const inTab = new Map<string, string>()

export const rememberedDraft = (name: string) => inTab.get(`${owner}-${name}`) ?? rememberedOwn(DRAFT + name)

/** Keeps what somebody writes. If there is no room for it, it stays in this tab, and leaving the page asks first. */
export function rememberDraft(name: string, value: string | undefined): void {
  const isKept = rememberOwn(DRAFT + name, value)
  if (isKept || value === undefined) inTab.delete(`${owner}-${name}`)
  else inTab.set(`${owner}-${name}`, value)
  noteKept(DRAFT + name, isKept || value === undefined)
}

function keysOf(prefix: string): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(`slipway-${prefix}`))
  } catch {
    return []
  }
}

/** How many texts are kept here that only this device has. */
export const countDrafts = () => keysOf(`own-${owner}-${DRAFT}`).length + keysOf(`typed-${owner}-`).length + inTab.size

/** The writes that are kept here for the person, also those of other tabs. */
export const unsentIds = () => (owner === undefined ? [] : storedIdsOf(owner))

/** Removes everything that this device keeps for the person, also what was never sent. */
export function forgetOwn(): void {
  if (owner === undefined) return
  forgetWritesOf(owner)
  for (const key of [...keysOf(`own-${owner}-`), ...keysOf(`typed-${owner}-`)]) localStorage.removeItem(key)
}
