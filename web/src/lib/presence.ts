import { clientOf } from './client.ts'
import { TAB } from './ids.ts'
import { createStore } from './store.ts'

export interface PresentPerson {
  id: string
  name: string
  page: string | null
}

/** Who has the project open, this person included. Empty while they are alone. */
export const people = createStore<{ people: PresentPerson[]; total: number }>({ people: [], total: 0 })

const GATHER_MS = 800
let timer: ReturnType<typeof setTimeout> | undefined
let told = ''

/** The page within the project: "work-orders/41". */
export const pageOf = (pathname: string) => pathname.split('/').slice(3).join('/').slice(0, 200)

/** Tells the others where this tab is, if there are others. */
export function tellPage(projectId: string): void {
  clearTimeout(timer)
  timer = setTimeout(() => {
    const page = pageOf(location.pathname)
    if (people.get().total < 2 || page === told) return
    told = page
    clientOf(projectId)
      .changes.moveTo({ tab: TAB, page })
      .catch(() => {
        told = ''
      })
  }, GATHER_MS)
}
people.subscribe(() => {
  if (people.get().total < 2) told = ''
})
