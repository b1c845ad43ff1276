import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { ask } from '../../lib/asking.ts'
import { IconButton } from '../../ui/Button.tsx'
import { Dot } from '../../ui/Chip.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { IconPlus, IconTrash, IconX } from '../../ui/icons.ts'
import { Pick } from '../../ui/Pick.tsx'
import { PopUp } from '../../ui/PopUp.tsx'
import { UnsavedChanges } from '../../ui/Unsaved.tsx'
import { labelsQuery, rowsQuery } from '../api.ts'
import type { Label } from '../work-order.ts'
import { isNew } from '../work-order.ts'
import { COLORS, changeLabel, createLabel, deleteLabel, isManagingLabels, LABELS } from './edits.ts'
import css from './ManageLabels.module.css'

const close = () => isManagingLabels.set(false)

/** All labels of the project, each with its colour and title to change in place. */
export default function ManageLabels({ projectId }: { projectId: string }) {
  const labels = useQuery(labelsQuery(projectId)).data ?? []
  const rows = useQuery(rowsQuery(projectId)).data
  const counts = useMemo(() => {
    const all = new Map<string, number>()
    for (const row of rows ?? []) for (const { id } of row.labels) all.set(id, (all.get(id) ?? 0) + 1)
    return all
  }, [rows])
  const [title, setTitle] = useState('')
  const add = () => {
    const name = title.trim()
    if (!name || labels.some((one) => one.title.toLowerCase() === name.toLowerCase())) return
    createLabel(projectId, name, labels)
    setTitle('')
  }
  const remove = async (label: Label) => {
    const count = counts.get(label.id) ?? 0
    const where = count === 0 ? '' : `It is taken off ${count === 1 ? 'one work order' : `${count} work orders`}. `
    const asked = { title: `Delete the label ${label.title}?`, text: `${where}This cannot be undone.`, verb: 'Delete' }
    if (await ask(asked)) deleteLabel(projectId, label)
  }
  return (
    <Dialog label="Labels" width={460} onClose={close}>
      <header className={css.head}>
        <h2>Labels</h2>
        <IconButton label="Close" onClick={close}>
          <IconX size={17} stroke={1.75} />
        </IconButton>
      </header>
      <UnsavedChanges subject={LABELS} />
      <ul className={css.list}>
        {labels.map((label) => (
          <li key={label.id} className={css.line}>
            <ColorChoice label={label} onPick={(color) => changeLabel(projectId, label, { color })} />
            <TitleField label={label} onSave={(name) => changeLabel(projectId, label, { title: name })} />
            <span className={css.count}>{counts.get(label.id) ?? 0}</span>
            <IconButton
              label={`Delete ${label.title}`}
              small
              disabled={isNew(label)}
              onClick={() => void remove(label)}
            >
              <IconTrash size={15} stroke={1.75} />
            </IconButton>
          </li>
        ))}
      </ul>
      <form
        className={css.add}
        onSubmit={(event) => {
          event.preventDefault()
          add()
        }}
      >
        <IconPlus size={15} stroke={1.75} />
        <input
          data-autofocus={labels.length === 0 || undefined}
          aria-label="New label"
          placeholder="New label"
          maxLength={500}
          value={title}
          onChange={(event) => setTitle(event.target.value)}
        />
      </form>
    </Dialog>
  )
}

function ColorChoice({ label, onPick }: { label: Label; onPick(color: Label['color']): void }) {
  return (
    <PopUp
      target={({ toggle, open }) => (
        <button
          type="button"
          className={css.color}
          disabled={isNew(label)}
          aria-label={`Colour of ${label.title}: ${label.color}`}
          aria-expanded={open}
          onClick={toggle}
        >
          <Dot color={label.color} />
        </button>
      )}
    >
      {(done) => (
        <Pick
          selected={[label.color]}
          options={COLORS.map((color) => ({
            value: color,
            label: color[0]!.toUpperCase() + color.slice(1),
            icon: <Dot color={color} />,
          }))}
          onPick={(color) => {
            done()
            onPick(color as Label['color'])
          }}
        />
      )}
    </PopUp>
  )
}

function TitleField({ label, onSave }: { label: Label; onSave(title: string): void }) {
  const [title, setTitle] = useState<string>()
  const save = () => {
    const name = title?.trim()
    setTitle(undefined)
    if (name && name !== label.title) onSave(name)
  }
  return (
    <input
      className={css.title}
      readOnly={isNew(label)}
      aria-label={`Title of ${label.title}`}
      maxLength={500}
      value={title ?? label.title}
      onChange={(event) => setTitle(event.target.value)}
      onBlur={save}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur()
        else if (event.key === 'Escape' && title !== undefined) {
          event.stopPropagation()
          setTitle(undefined)
        }
      }}
    />
  )
}
