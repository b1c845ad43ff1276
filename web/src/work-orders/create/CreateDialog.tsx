import { useRouteContext } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { discardWrite } from '../../lib/outbox/index.ts'
import { showToast } from '../../lib/toasts.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import {
  IconArrowsDiagonal,
  IconArrowsDiagonalMinimize2,
  IconChevronRight,
  IconDeviceFloppy,
  IconX,
} from '../../ui/icons.ts'
import { Kbd } from '../../ui/Kbd.tsx'
import { MarkdownField } from '../../ui/MarkdownField.tsx'
import { ProjectMark } from '../../ui/ProjectSwitcher.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { useShortcut } from '../shortcuts.ts'
import { Connections } from './Connections.tsx'
import css from './CreateDialog.module.css'
import { addWorkOrder } from './creation.ts'
import { fieldsOf, isWorthKeeping, useDraft } from './draft.ts'
import type { CreatePreset } from './open-create.ts'
import { PropertyButtons } from './PropertyButtons.tsx'
import { Similar } from './Similar.tsx'

export default function CreateDialog({ preset, onClose }: { preset: CreatePreset; onClose(): void }) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const { draft, change, startNext, forget } = useDraft(project.id, preset)
  const { title, text, connected } = draft
  const [isWide, setIsWide] = useState(false)
  const [more, setMore] = useState(false)
  const [fault, setFault] = useState<string>()
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)

  const submit = async () => {
    if (busy) return
    if (!title.trim()) {
      setFault('Give it a title.')
      return field.current?.focus()
    }
    setBusy(true)
    setFault(undefined)
    const outcome = await addWorkOrder(project.id, { fields: fieldsOf(draft) })
    setBusy(false)
    if (outcome.state === 'failed') {
      // The text stays here and is sent as a new one.
      discardWrite(outcome.id)
      return setFault(outcome.fault.message)
    }
    forget()
    if (outcome.state === 'waiting') showToast({ text: `“${title.trim()}” is created when you are back online` })
    if (!more) return onClose()
    startNext()
    field.current?.focus()
  }

  // The same keys as in the fields, for when a button has the focus.
  useShortcut('submit', () => void submit(), { inDialog: true })

  return (
    <Dialog label="New work order" width={isWide ? 900 : 572} top={isWide ? 40 : 116} onClose={onClose}>
      <header className={css.head}>
        <span className={css.project}>
          <ProjectMark name={project.name} />
          <bdi>{project.name}</bdi>
        </span>
        <IconChevronRight size={14} stroke={1.75} />
        <strong className={css.grow}>New work order</strong>
        <IconButton
          className={css.widen}
          label={isWide ? 'Make smaller' : 'Make larger'}
          onClick={() => setIsWide(!isWide)}
        >
          {isWide ? (
            <IconArrowsDiagonalMinimize2 size={16} stroke={1.75} />
          ) : (
            <IconArrowsDiagonal size={16} stroke={1.75} />
          )}
        </IconButton>
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
          onChange={(event) => change({ title: event.target.value.replaceAll('\n', ' ') })}
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
          minRows={isWide ? 16 : 7}
          onSubmit={submit}
          onChange={(value) => change({ text: value })}
        />
        <PropertyButtons draft={draft} onChange={change} />
        <Connections projectId={project.id} connected={connected} onChange={(next) => change({ connected: next })} />
        <Similar projectId={project.id} title={title} />
        {fault && (
          <p className={css.fault} role="alert">
            {fault}
          </p>
        )}
      </div>
      <footer className={css.foot}>
        <Switch className={css.more} checked={more} onChange={setMore}>
          Create more
        </Switch>
        {isWorthKeeping(draft) && (
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
