import type { ReactNode } from 'react'

export interface Result {
  id: string
  icon: ReactNode
  text: ReactNode
  end?: ReactNode
  /** Whether it was found for these words here, without the server. */
  isKnown?: boolean
  /** Set if it has actions: the module that has them, and what it is called. */
  subject?: { moduleId: string; id: string; code: string }
  /** Its address, to open it in a new tab. */
  href?: string
  run(): void
}

export interface Section {
  name: string
  count?: string | undefined
  results: Result[]
}
