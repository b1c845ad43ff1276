import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { inWords } from '../../lib/kinds.ts'
import { countOf } from '../../lib/numbers.ts'
import { type Outcome, reasonOf } from '../../lib/outbox/write.ts'
import { useStore } from '../../lib/store.ts'
import { Button } from '../../ui/Button.tsx'
import css from '../../ui/dialogs.module.css'
import { FormDialog } from '../../ui/dialogs.tsx'
import { Field } from '../../ui/fields.tsx'
import { IconArrowMerge, IconArrowsSplit, IconStack2 } from '../../ui/icons.ts'
import { Select } from '../../ui/Select.tsx'
import type { ThemeRow } from './api.ts'
import { closeThemeDialog, type ThemeDialog, themeDialog } from './dialogs.ts'
import { changeTheme, createTheme, type NewTheme } from './edits.ts'
import { mergeTheme, moveQuotes, splitTheme } from './regrouping.ts'
import { ThemeChoice } from './ThemeChoice.tsx'
import { numberOf, PRIORITIES, TYPES } from './theme.ts'

/** Whichever dialog of the themes is open. */
export function ThemeDialogs({ projectId }: { projectId: string }) {
  const open = useStore(themeDialog)
  if (!open) return null
  if (open.kind === 'create' || open.kind === 'edit')
    return <ValuesDialog projectId={projectId} row={open.kind === 'edit' ? open.row : undefined} />
  if (open.kind === 'split') return <SplitDialog projectId={projectId} {...open} />
  return <IntoDialog projectId={projectId} open={open} />
}

/** Shows why a write was refused in the dialog, and closes it otherwise. */
function useSending() {
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const send = async <Answer,>(attempt: Promise<Outcome<Answer>>): Promise<Answer | undefined> => {
    setBusy(true)
    setFault(undefined)
    const outcome = await attempt
    setBusy(false)
    if (outcome.state === 'failed') setFault(reasonOf(outcome.fault))
    if (outcome.state !== 'saved') return undefined
    closeThemeDialog()
    return outcome.answer
  }
  return { busy, fault, setFault, send }
}

const EMPTY: NewTheme = { title: '', description: '', type: 'bug', priority: 'medium' }

function ValuesDialog({ projectId, row }: { projectId: string; row: ThemeRow | undefined }) {
  const { title, description, type, priority } = row ?? EMPTY
  const [values, setValues] = useState<NewTheme>({ title, description, type, priority })
  const { busy, fault, setFault, send } = useSending()
  const navigate = useNavigate()
  const set = (change: Partial<NewTheme>) => setValues((old) => ({ ...old, ...change }))
  const submit = async () => {
    const wanted = { ...values, title: values.title.trim(), description: values.description.trim() }
    if (!wanted.title) return setFault('Give it a title that says what customers have in common.')
    if (row) {
      const changed = Object.entries(wanted).filter(([field, value]) => value !== row[field as keyof NewTheme])
      closeThemeDialog()
      if (changed.length > 0) void changeTheme(projectId, row, Object.fromEntries(changed))
      return
    }
    const made = await send(createTheme(projectId, wanted))
    if (made)
      await navigate({
        to: '/p/$projectId/feedback/themes/$number',
        params: { projectId, number: numberOf(made) },
      })
  }
  return (
    <FormDialog
      title={row ? `Edit ${row.display_id}` : 'New theme'}
      lead={row ? undefined : 'What several customers have in common.'}
      icon={<IconStack2 size={18} stroke={1.75} />}
      onClose={closeThemeDialog}
      onSubmit={() => void submit()}
      footer={<Footer verb={row ? 'Save' : 'Create theme'} busy={busy} />}
    >
      <Field
        label="Title"
        placeholder="Declined cards give no reason"
        maxLength={500}
        autoComplete="off"
        data-autofocus
        value={values.title}
        fault={fault}
        onChange={(one) => set({ title: one })}
      />
      <Field
        label="Description"
        placeholder="When a bank refuses a card, the payment step says the same for every cause."
        maxLength={10_000}
        value={values.description}
        onChange={(one) => set({ description: one })}
      />
      <p className={css.label}>Type</p>
      <Select
        label="Type"
        value={values.type}
        options={TYPES.map((value) => ({ value, label: inWords(value) }))}
        className={css.full}
        onPick={(one) => set({ type: one as NewTheme['type'] })}
      />
      <p className={css.label}>Priority</p>
      <Select
        label="Priority"
        value={values.priority}
        options={PRIORITIES.map((value) => ({ value, label: inWords(value) }))}
        className={css.full}
        onPick={(one) => set({ priority: one as NewTheme['priority'] })}
      />
    </FormDialog>
  )
}

type Splitting = Extract<ThemeDialog, { kind: 'split' }>

function SplitDialog({ projectId, row, itemIds, title: suggested = '', onDone }: Splitting & { projectId: string }) {
  const [title, setTitle] = useState(suggested)
  const [reason, setReason] = useState('')
  const { busy, fault, setFault, send } = useSending()
  const submit = async () => {
    if (!title.trim()) return setFault('Give the new theme a title.')
    if (await send(splitTheme(projectId, { from: row, title: title.trim(), itemIds, reason: reason.trim() }))) onDone()
  }
  return (
    <FormDialog
      title={`Split ${row.display_id}`}
      lead={`${countOf(itemIds.length, 'quote')} of ${row.quote_count} move to a new theme of the same type, priority and feature.`}
      icon={<IconArrowsSplit size={18} stroke={1.75} />}
      onClose={closeThemeDialog}
      onSubmit={() => void submit()}
      footer={<Footer verb="Split" busy={busy} />}
    >
      <Field
        label="Title of the new theme"
        maxLength={500}
        autoComplete="off"
        data-autofocus
        value={title}
        fault={fault}
        onChange={setTitle}
      />
      <Field label="Reason (optional)" maxLength={1_000} value={reason} onChange={setReason} />
    </FormDialog>
  )
}

type Into = Extract<ThemeDialog, { kind: 'merge' | 'move' }>

/** Merges the theme, or moves some of its quotes, into one that is chosen. */
function IntoDialog({ projectId, open }: { projectId: string; open: Into }) {
  const { row } = open
  const itemIds = open.kind === 'move' ? open.itemIds : undefined
  const [into, setInto] = useState<ThemeRow>()
  const [reason, setReason] = useState('')
  const { busy, fault, setFault, send } = useSending()
  const submit = async () => {
    if (!into) return setFault('Choose a theme.')
    if (!itemIds) return void send(mergeTheme(projectId, { from: row, into, reason: reason.trim() }))
    if ((await send(moveQuotes(projectId, { from: row, into, itemIds }))) && open.kind === 'move') open.onDone()
  }
  return (
    <FormDialog
      title={itemIds ? `Move ${countOf(itemIds.length, 'quote')}` : `Merge ${row.display_id} into another theme`}
      lead={
        itemIds
          ? `From ${row.display_id} “${row.title}”.`
          : `Its ${countOf(row.quote_count, 'quote')} and links go there, and “${row.title}” ends.`
      }
      icon={<IconArrowMerge size={18} stroke={1.75} />}
      onClose={closeThemeDialog}
      onSubmit={() => void submit()}
      footer={<Footer verb={itemIds ? 'Move' : 'Merge'} busy={busy} />}
    >
      <ThemeChoice projectId={projectId} without={row.id} chosen={into} fault={fault} onChoose={setInto} />
      {!itemIds && <Field label="Reason (optional)" maxLength={1_000} value={reason} onChange={setReason} />}
    </FormDialog>
  )
}

const Footer = ({ verb, busy }: { verb: string; busy: boolean }) => (
  <>
    <span className={css.grow} />
    <Button onClick={closeThemeDialog}>Cancel</Button>
    <Button type="submit" look="primary" busy={busy}>
      {verb}
    </Button>
  </>
)
