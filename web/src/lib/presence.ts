import * as api from '@slipway/sdk/resources'
import { callOf } from './client.ts'
import { newId } from './ids.ts'
import { remember, remembered } from './storage.ts'
import { createStore } from './store.ts'

export interface PresentPerson {
  id: string
  name: string
  page: string | null
}

export interface Present {
  people: PresentPerson[]
  total: number
}

/** Who has the project open, this person included. Empty while they are alone. */
export const people = createStore<Present>({ people: [], total: 0 })

/** Others see a person in one place: where this browser was last used. */
export const BROWSER = remembered('browser') ?? newId()
remember('browser', BROWSER)

const GATHER_MS = 800
let timer: ReturnType<typeof setTimeout> | undefined
let told = ''

/** The page within the project: "work-orders/41". */
export const pageOf = (pathname: string) => pathname.split('/').slice(3).join('/').slice(0, 200)

/** Tells the others where the person is, if there are others. Not where tabs are that nobody looks at. */
export function tellPage(projectId: string): void {
  clearTimeout(timer)
  timer = setTimeout(() => {
    const page = pageOf(location.pathname)
    if (people.get().total < 2 || page === told || document.visibilityState === 'hidden') return
    told = page
    api
      .changes(callOf(projectId))
      .moveTo({ tab: BROWSER, page })
      .catch(() => {
        told = ''
      })
  }, GATHER_MS)
}

/** Tells it also if this tab has told it before: another tab may have told something else since. */
export function tellPageAgain(projectId: string): void {
  told = ''
  tellPage(projectId)
}

people.subscribe(() => {
  if (people.get().total < 2) told = ''
})
