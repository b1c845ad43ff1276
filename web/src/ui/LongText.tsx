import { Button } from './Button.tsx'
import { Kbd } from './Kbd.tsx'
import css from './LongText.module.css'
import { MarkdownField } from './MarkdownField.tsx'
import { DraftOffer, UnsavedText } from './Unsaved.tsx'
import type { LongText } from './use-long-text.ts'
import { Waits } from './Waits.tsx'

interface Props {
  label: string
  edit: LongText
}

/** The field of a long text, or the text that was not saved. */
export function LongTextEditor({ label, edit }: Props) {
  const { text, failed, change, cancel, save } = edit
  if (text === undefined && failed) return <UnsavedLongText label={label} edit={edit} />
  return (
    <div className={css.editor}>
      <MarkdownField
        label={label}
        value={text ?? ''}
        autoFocus
        onChange={change}
        onSubmit={() => save()}
        onCancel={cancel}
      />
      <div className={css.foot}>
        <Button look="quiet" onClick={cancel}>
          Cancel
        </Button>
        <Button look="primary" onClick={() => save()}>
          Save <Kbd keys="mod+enter" onAccent />
        </Button>
      </div>
    </div>
  )
}

export function UnsavedLongText({ label, edit: { failed } }: Props) {
  if (!failed) return null
  const { text, write, retry, keep, edit } = failed
  return <UnsavedText label={label} text={text} write={write} onRetry={retry} onKeep={keep} onEdit={edit} />
}

/** What is on this device of a text that is only read: an older draft, or a change that waits. */
export function LongTextState({ edit }: { edit: LongText }) {
  const { draft, write, resumeDraft, discardDraft } = edit
  if (draft) return <DraftOffer draft={draft} onContinue={resumeDraft} onDiscard={discardDraft} />
  return <Waits write={write} />
}
