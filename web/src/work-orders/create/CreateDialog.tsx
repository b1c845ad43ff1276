import { useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { useMemo, useRef, useState } from 'react'
import type { CreatePreset } from '../../app/overlays.ts'
import { ProjectMark } from '../../app/ProjectSwitcher.tsx'
import { showToast } from '../../app/toasts.tsx'
import { discardWrite } from '../../lib/outbox/index.ts'
import { remember, remembered } from '../../lib/storage.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { IconChevronRight, IconCopy, IconDeviceFloppy, IconX } from '../../ui/icons.ts'
import { Kbd } from '../../ui/Kbd.tsx'
import { MarkdownField } from '../../ui/MarkdownField.tsx'
import { StatusRing } from '../../ui/StatusRing.tsx'
import { rowsQuery } from '../api.ts'
import { addWorkOrder } from '../creation.ts'
import { codeOf } from '../work-order.ts'
import css from './CreateDialog.module.css'
import { type Draft, PropertyButtons } from './PropertyButtons.tsx'

const emptyDraft = (preset: CreatePreset): Draft => ({
  status: 'ready',
  priority: 'no_priority',
  type: 'none',
  phase: null,
  assignee: null,
  labels: [],
  ...preset.values,
})

const DRAFT = 'new-work-order'
const readDraft = (projectId: string): { title?: string; text?: string } => {
  try {
    return JSON.parse(remembered(`${DRAFT}-${projectId}`) ?? '{}')
  } catch {
    return {}
  }
}

export default function CreateDialog({ preset, onClose }: { preset: CreatePreset; onClose(): void }) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const kept = useMemo(() => (preset.title ? {} : readDraft(project.id)), [preset.title, project.id])
  const [title, setTitle] = useState(preset.title ?? kept.title ?? '')
  const [text, setText] = useState(kept.text ?? '')
  const [draft, setDraft] = useState(() => emptyDraft(preset))
  const [more, setMore] = useState(false)
  const [fault, setFault] = useState<string>()
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)

  const keep = (next: { title?: string; text?: string }) =>
    remember(`${DRAFT}-${project.id}`, JSON.stringify({ title, text, ...next }))
  const submit = async () => {
    if (busy) return
    if (!title.trim()) {
      setFault('Give it a title.')
      return field.current?.focus()
    }
    setBusy(true)
    setFault(undefined)
    const outcome = await addWorkOrder(project.id, { fields: fieldsOf(title, text, draft) })
    setBusy(false)
    if (outcome.state === 'failed') {
      // The text stays here and is sent as a new one.
      discardWrite(outcome.id)
      return setFault(outcome.fault.message)
    }
    remember(`${DRAFT}-${project.id}`, undefined)
    if (outcome.state === 'waiting') showToast({ text: `“${title.trim()}” is created when you are back online` })
    if (!more) return onClose()
    setTitle('')
    setText('')
    field.current?.focus()
  }

  return (
    <Dialog label="New work order" width={572} onClose={onClose}>
      <header className={css.head}>
        <span className={css.project}>
          <ProjectMark name={project.name} />
          {project.name}
        </span>
        <IconChevronRight size={14} stroke={1.75} />
        <strong className={css.grow}>New work order</strong>
        <IconButton label="Close" onClick={onClose}>
          <IconX size={17} stroke={1.75} />
        </IconButton>
      </header>
      <div className={css.body}>
        <textarea
          ref={field}
          data-autofocus
          rows={1}
          maxLength={500}
          className={css.title}
          aria-label="Title"
          placeholder="What is to be done?"
          value={title}
          onChange={(event) => {
            setTitle(event.target.value.replaceAll('\n', ' '))
            keep({ title: event.target.value })
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            if (event.metaKey || event.ctrlKey) void submit()
          }}
        />
        <MarkdownField
          label="Description"
          placeholder="Say why, and when it is done."
          value={text}
          minRows={7}
          onSubmit={submit}
          onChange={(value) => {
            setText(value)
            keep({ text: value })
          }}
        />
        <PropertyButtons draft={draft} onChange={(part) => setDraft({ ...draft, ...part })} />
        <Similar projectId={project.id} title={title} />
        {fault && (
          <p className={css.fault} role="alert">
            {fault}
          </p>
        )}
      </div>
      <footer className={css.foot}>
        <label className={css.more}>
          <input type="checkbox" checked={more} onChange={(event) => setMore(event.target.checked)} />
          Create more
        </label>
        {(title || text) && (
          <span className={css.kept}>
            <IconDeviceFloppy size={15} stroke={1.75} />
            Draft kept on this device
          </span>
        )}
        <span className={css.grow} />
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button look="primary" busy={busy} onClick={submit}>
          Create <Kbd keys="mod+enter" onAccent />
        </Button>
      </footer>
    </Dialog>
  )
}

const fieldsOf = (title: string, text: string, { labels, phase, assignee, ...rest }: Draft) => ({
  ...rest,
  title: title.trim(),
  ...(text.trim() ? { markdown_content: text } : {}),
  ...(phase ? { phase_id: phase.id } : {}),
  ...(assignee ? { assignee_id: assignee.id } : {}),
  ...(labels.length > 0 ? { label_ids: labels.map(({ id }) => id) } : {}),
})

const wordsOf = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\d]{4,}/gu) ?? [])

/** The one that shares most words with the title, so that the same work is not planned twice. */
function Similar({ projectId, title }: { projectId: string; title: string }) {
  const rows = useQuery(rowsQuery(projectId)).data
  const found = useMemo(() => {
    const words = wordsOf(title)
    const shared = (other: string) => [...wordsOf(other)].filter((word) => words.has(word)).length
    const [best] = (rows ?? []).map((row) => ({ row, score: shared(row.title) })).sort((a, b) => b.score - a.score)
    return best && best.score >= 2 ? best.row : undefined
  }, [rows, title])
  if (!found) return null
  return (
    <div className={css.similar}>
      <IconCopy size={15} stroke={1.75} />
      Similar: <strong>{codeOf(found)}</strong> <span className={css.similarTitle}>{found.title}</span>
      <StatusRing status={found.status} size={14} />
      <a href={`/p/${projectId}/work-orders/${found.work_order_number}`} target="_blank" rel="noreferrer">
        Open beside
      </a>
    </div>
  )
}
