import { cx } from '../../lib/cx.ts'
import { Button } from '../../ui/Button.tsx'
import { IconAlertTriangle, IconCloudOff, IconRefresh } from '../../ui/icons.ts'
import { Kbd } from '../../ui/Kbd.tsx'
import { MarkdownField } from '../../ui/MarkdownField.tsx'
import css from './Section.module.css'
import type { useTextEdit } from './use-text-edit.ts'

export function TextEditor({ label, edit }: { label: string; edit: ReturnType<typeof useTextEdit> }) {
  const { text = '', fault, busy, change, cancel, save } = edit
  return (
    <div className={cx(css.editor, fault && css.unsaved)}>
      {fault && (
        <div className={css.unsavedHead}>
          {label}
          <span>
            <IconCloudOff size={14} stroke={1.75} /> not saved
          </span>
        </div>
      )}
      <MarkdownField
        label={label}
        value={text}
        autoFocus
        onChange={change}
        onSubmit={() => void save()}
        onCancel={cancel}
      />
      {fault ? (
        <div className={css.fault} role="alert">
          <IconAlertTriangle size={18} stroke={1.75} />
          <div className={css.grow}>
            <strong>Not saved: {fault}</strong>
            <p>Your text stays here and on this device until it is saved, even if you close the tab.</p>
          </div>
          <Button icon={<IconRefresh size={15} />} busy={busy} onClick={() => void save()}>
            Retry
          </Button>
          <Button onClick={cancel}>Discard</Button>
        </div>
      ) : (
        <div className={css.editorFoot}>
          <Button look="quiet" onClick={cancel}>
            Cancel
          </Button>
          <Button look="primary" busy={busy} onClick={() => void save()}>
            Save <Kbd keys="mod+enter" onAccent />
          </Button>
        </div>
      )}
    </div>
  )
}
