import { useState } from 'react'
import { inWords } from '../../lib/kinds.ts'
import { useShortcut } from '../../lib/shortcuts.ts'
import { Button } from '../../ui/Button.tsx'
import { FormDialog } from '../../ui/dialogs.tsx'
import { Field } from '../../ui/fields.tsx'
import { Kbd } from '../../ui/Kbd.tsx'
import { PriorityBars } from '../../ui/PriorityBars.tsx'
import { Select } from '../../ui/Select.tsx'
import { PRIORITIES, type Priority, TYPES, type Type } from '../themes/theme.ts'
import css from './Dialogs.module.css'
import { linkReports } from './edits.ts'
import type { Opened } from './open-dialogs.ts'

interface Props {
  projectId: string
  preset: Extract<Opened, { kind: 'new-theme' }>
  onClose(): void
}

/** Opens a theme for reports. */
export default function NewThemeDialog({ projectId, preset, onClose }: Props) {
  const { items, excerpt, onDone } = preset
  const [title, setTitle] = useState(preset.title)
  const [type, setType] = useState<Type>('bug')
  const [priority, setPriority] = useState<Priority>('medium')
  const [fault, setFault] = useState<string>()
  const submit = () => {
    if (!title.trim()) return setFault('Give the theme a title.')
    onClose()
    onDone?.()
    void linkReports(projectId, {
      items,
      newTheme: { title: title.trim(), type, priority },
      ...(excerpt && { excerpt }),
    })
  }
  useShortcut('submit', submit, { inDialog: true })
  return (
    <FormDialog
      title="New theme"
      lead={items.length === 1 ? `For ${items[0]!.display_id}` : `For ${items.length} reports`}
      onClose={onClose}
      onSubmit={submit}
      footer={
        <>
          <span className={css.grow} />
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary">
            Create <Kbd keys="enter" onAccent />
          </Button>
        </>
      }
    >
      <Field label="Title" value={title} maxLength={500} fault={fault} data-autofocus onChange={setTitle} />
      {excerpt && (
        <blockquote className={css.quote} dir="auto">
          {excerpt}
        </blockquote>
      )}
      <div className={css.row}>
        <span className={css.pair}>
          Type
          <Select
            label="Type"
            value={type}
            options={TYPES.map((value) => ({ value, label: inWords(value) }))}
            onPick={(value) => setType(value as Type)}
          />
        </span>
        <span className={css.pair}>
          Priority
          <Select
            label="Priority"
            value={priority}
            options={PRIORITIES.map((value) => ({
              value,
              label: inWords(value),
              icon: <PriorityBars priority={value} />,
            }))}
            onPick={(value) => setPriority(value as Priority)}
          />
        </span>
      </div>
    </FormDialog>
  )
}
