import { useId } from 'react'
import { countOf } from '../../../lib/numbers.ts'
import { Field } from '../../../ui/fields.tsx'
import type { LanguageDraft } from './api.ts'
import css from './Telling.module.css'
import { type MailText, piecesOf } from './texts.ts'

interface PreviewProps {
  value: MailText
  draft: LanguageDraft
  from: string | null
}

/** The mail as one of the people gets it. What is marked differs for each. */
export const MailPreview = ({ value, draft, from }: PreviewProps) => (
  <>
    <dl className={css.envelope}>
      <dt>To</dt>
      <dd>{countOf(draft.people_count, 'person', 'people')}, one by one</dd>
      {from !== null && (
        <>
          <dt>From</dt>
          <dd>{from}</dd>
        </>
      )}
      <dt>Subject</dt>
      <dd>
        <strong>
          <Filled text={value.subject} draft={draft} />
        </strong>
      </dd>
    </dl>
    <p className={css.text} lang={value.language} dir="auto">
      <Filled text={value.text} draft={draft} />
    </p>
  </>
)

const Filled = ({ text, draft }: { text: string; draft: LanguageDraft }) =>
  piecesOf(text).map((piece, at) =>
    'text' in piece ? (
      piece.text
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other name
      <mark key={at} title={`Of ${draft.example.end_user_email}`}>
        {draft.example[piece.field]}
      </mark>
    ),
  )

interface FieldsProps {
  value: MailText
  onChange(change: Partial<MailText>): void
}

export function MailFields({ value, onChange }: FieldsProps) {
  const id = useId()
  return (
    <div className={css.fields}>
      <Field
        label="Subject"
        maxLength={200}
        lang={value.language}
        value={value.subject}
        fault={value.subject.trim() ? undefined : 'Write a subject.'}
        onChange={(subject) => onChange({ subject })}
      />
      <label className={css.label} htmlFor={id}>
        Text
      </label>
      <textarea
        id={id}
        className={css.area}
        rows={11}
        maxLength={10_000}
        lang={value.language}
        value={value.text}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onChange({ text: event.target.value })}
      />
      <p id={`${id}-hint`} className={css.note}>
        <code>{'{date}'}</code> and <code>{'{quote}'}</code> become the day and the words of each person. A link to
        unsubscribe is added.
      </p>
    </div>
  )
}
