import * as api from '@slipway/sdk/resources'
import type { Change } from '../changes.ts'
import { callOf } from '../client.ts'
import type { Comparison } from './write.ts'

interface Titled<Input> {
  /** What is renamed, to what, and from what. */
  of(input: Input): { id: string; title: string; before: string }
  /** What both texts are, if not titles: "Description of TH-3". */
  called?(input: Input): string
  rebased(input: Input, title: string, before: string): Input
  /** The title that the server has now. */
  read(input: Input, projectId: string): Promise<string | undefined>
  /** Whether an event of it is a new title. */
  isRenaming(change: Change): boolean
  show(input: Input, title: string, projectId: string): void
}

const LAST_CHANGES = 20

/** Lets a person choose if somebody else has renamed the same thing since. */
export function compareTitles<Input>(titled: Titled<Input>): Comparison<Input> {
  const { of, called, rebased, read, isRenaming, show } = titled
  return {
    title: (input) => called?.(input) ?? `Title of “${of(input).before}”`,
    base: (input) => of(input).before,
    mine: (input) => of(input).title,
    async read(input, projectId) {
      const { id, before } = of(input)
      const text = await read(input, projectId)
      const { items } = await api.changes(callOf(projectId)).list({ subject_id: id, limit: LAST_CHANGES })
      return { text: text ?? before, etag: undefined, by: items.find(isRenaming)?.actor.name }
    },
    rebased: (input, title, theirs) => rebased(input, title, theirs.text),
    showTheirs: (input, { text }, projectId) => show(input, text, projectId),
  }
}
