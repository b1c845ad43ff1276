import { useRef, useState } from 'react'
import { Button } from '../ui/Button.tsx'
import css from '../ui/dialogs.module.css'
import { FormDialog } from '../ui/dialogs.tsx'
import { IconPlayerPlay } from '../ui/icons.ts'
import { MentionField } from '../ui/MentionField.tsx'
import editor from './editor/Editor.module.css'

interface Props {
  name: string
  onStart(input: string | null): void
  onClose(): void
}

/** Starts a run by hand, with what its agent should know besides the instructions. */
export function RunDialog({ name, onStart, onClose }: Props) {
  const [input, setInput] = useState('')
  const field = useRef<HTMLTextAreaElement>(null)
  return (
    <FormDialog
      title={`Run “${name}” now`}
      lead="Its instructions stay as they are. What you add is for this run only."
      icon={<IconPlayerPlay size={18} stroke={1.75} />}
      onClose={onClose}
      onSubmit={() => {
        onStart(input.trim() || null)
        onClose()
      }}
      footer={
        <>
          <span className={css.grow} />
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary">
            Run
          </Button>
        </>
      }
    >
      <div className={editor.prompt}>
        <MentionField
          field={field}
          value={input}
          rows={4}
          maxLength={100_000}
          aria-label="A note for this run"
          placeholder="A note for this run, if it needs one."
          onChange={setInput}
        />
      </div>
    </FormDialog>
  )
}
