import { useState } from 'react'
import { dropDraft, findDraft, keepDraft } from '../../../lib/drafts.ts'
import type { LanguageDraft } from './api.ts'

export type MailText = Pick<LanguageDraft, 'language' | 'subject' | 'text'>

const names = new Intl.DisplayNames('en', { type: 'language' })
export const languageName = (code: string) => names.of(code) ?? code

const draftName = (themeId: string, language: string) => `tell-${themeId}-${language}`

function kept(themeId: string, { language, subject, text }: LanguageDraft): MailText {
  const stored = findDraft(draftName(themeId, language))?.text
  return stored === undefined ? { language, subject, text } : (JSON.parse(stored) as MailText)
}

/** The texts of a mailing as the person has edited them. They stay on this device until they are sent. */
export function useTexts(themeId: string, drafts: LanguageDraft[]) {
  const [edited, setEdited] = useState<Record<string, MailText>>({})
  const textOf = (draft: LanguageDraft) => edited[draft.language] ?? kept(themeId, draft)
  return {
    textOf,
    texts: () => drafts.map(textOf),
    change(draft: LanguageDraft, change: Partial<MailText>) {
      const next = { ...textOf(draft), ...change }
      keepDraft(draftName(themeId, draft.language), JSON.stringify(next))
      setEdited((old) => ({ ...old, [draft.language]: next }))
    },
    forget() {
      for (const { language } of drafts) dropDraft(draftName(themeId, language))
      setEdited({})
    },
  }
}

export type Piece = { text: string } | { field: 'date' | 'quote' }

/** Splits a text at the fields that are filled in for each person. */
export const piecesOf = (text: string): Piece[] =>
  text
    .split(/(\{date\}|\{quote\})/)
    .filter((part) => part !== '')
    .map((part) => (part === '{date}' ? { field: 'date' } : part === '{quote}' ? { field: 'quote' } : { text: part }))
