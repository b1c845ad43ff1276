import { Button } from '../../ui/Button.tsx'
import { Kbd } from '../../ui/Kbd.tsx'
import { MarkdownField } from '../../ui/MarkdownField.tsx'
import { DraftOffer, UnsavedText } from '../../ui/Unsaved.tsx'
import { Waits } from '../../ui/Waits.tsx'
import css from './Section.module.css'
import type { TextEdit } from './use-text-edit.ts'

/** The field of a long text, or the text that was not saved. */
export function TextEditor({ label, edit }: { label: string; edit: TextEdit }) {
  const { text, failed, change, cancel, save } = edit
  if (text === undefined && failed)
    return (
      <UnsavedText
        label={label}
        text={failed.text}
        write={failed.write}
        onRetry={failed.retry}
        onKeep={failed.keep}
        onEdit={failed.edit}
      />
    )
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
      <div className={css.editorFoot}>
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

/** What is on this device of a text that is only read: an older draft, or a change that waits. */
export function TextState({ edit }: { edit: TextEdit }) {
  const { draft, write, resumeDraft, discardDraft } = edit
  if (draft) return <DraftOffer draft={draft} onContinue={resumeDraft} onDiscard={discardDraft} />
  return <Waits write={write} />
}
