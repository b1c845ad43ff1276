import type { DrawLink } from '../../ui/Markdown.tsx'
import type { Proposal } from '../api.ts'

/** What the parts of a turn need of the conversation. */
export interface TurnActions {
  projectId: string
  conversationId: string
  /** Viewers and readers of a shared conversation only read. */
  mayTalk: boolean
  proposals: readonly Proposal[]
  /** The versions of each message, the oldest first. */
  versionsOf(number: number): readonly string[]
  drawLink: DrawLink
  onAskAgain(number: number, message: string): Promise<boolean>
  onQuote(text: string): void
  onVersion(id: string): void
}
