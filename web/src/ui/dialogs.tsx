import { type ReactNode, useState } from 'react'
import { writeClipboard } from '../lib/clipboard.ts'
import { cx } from '../lib/cx.ts'
import { Button, IconButton } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import css from './dialogs.module.css'
import { IconCheck, IconCopy, IconEyeOff, IconX } from './icons.ts'

interface FormProps {
  title: string
  lead?: ReactNode
  icon?: ReactNode
  tone?: 'danger' | 'done'
  width?: number
  onClose(): void
  onSubmit?(): void
  children?: ReactNode
  footer: ReactNode
}

/** A dialog with a head, a body and buttons. Enter in a field submits it. */
export function FormDialog({ title, lead, icon, tone, width = 452, onClose, onSubmit, children, footer }: FormProps) {
  return (
    <Dialog label={title} width={width} onClose={onClose}>
      <form
        className={css.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit?.()
        }}
      >
        <header className={css.head}>
          {icon && <span className={cx(css.icon, tone && css[tone])}>{icon}</span>}
          <div className={css.grow}>
            <h2 className={css.title}>{title}</h2>
            {lead && <p className={css.lead}>{lead}</p>}
          </div>
          <IconButton label="Close" onClick={onClose}>
            <IconX size={17} stroke={1.75} />
          </IconButton>
        </header>
        {children && <div className={css.body}>{children}</div>}
        <footer className={css.foot}>{footer}</footer>
      </form>
    </Dialog>
  )
}

interface ConfirmProps {
  title: string
  /** What the button does, in its own words. */
  verb: string
  children: ReactNode
  onConfirm(): Promise<unknown>
  onClose(): void
}

/** Asks before something stops working, and names it. */
export function ConfirmDialog({ title, verb, children, onConfirm, onClose }: ConfirmProps) {
  const [busy, setBusy] = useState(false)
  const confirm = async () => {
    setBusy(true)
    await onConfirm()
    onClose()
  }
  return (
    <FormDialog
      title={title}
      onClose={onClose}
      onSubmit={() => void confirm()}
      footer={
        <>
          <span className={css.grow} />
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" busy={busy} className={css.dangerous} data-autofocus>
            {verb}
          </Button>
        </>
      }
    >
      {children}
    </FormDialog>
  )
}

interface SecretProps {
  label: string
  text: string
  note: string
  tone: 'green' | 'amber'
  onCopied(): void
}

/** A secret that is shown this once, with a button that copies it. */
export function Secret({ label, text, note, tone, onCopied }: SecretProps) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await writeClipboard(text)
    setCopied(true)
    onCopied()
    setTimeout(() => setCopied(false), 2_000)
  }
  return (
    <div className={cx(css.secret, css[tone])}>
      <div className={css.line}>
        <input
          className={css.value}
          aria-label={label}
          readOnly
          value={text}
          onFocus={(event) => event.target.select()}
          onCopy={onCopied}
        />
        <Button
          look={copied ? 'outline' : 'primary'}
          icon={copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
          onClick={() => void copy()}
        >
          {copied ? 'Copied' : 'Copy'}
        </Button>
      </div>
      <p className={css.note}>
        <IconEyeOff size={15} stroke={1.75} />
        {note}
      </p>
    </div>
  )
}

/** Closing before the secret was copied is asked about once. */
export function useCloseOnce(onClose: () => void) {
  const [wasCopied, setCopied] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const close = () => (wasCopied || isAsking ? onClose() : setAsking(true))
  return { close, isAsking, markCopied: () => setCopied(true) }
}

export function NotCopied({ what }: { what: string }) {
  return (
    <p className={css.asking} role="alert">
      You have not copied the {what}. Close anyway? It cannot be shown again.
    </p>
  )
}
