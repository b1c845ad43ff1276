import { type ReactNode, useState } from 'react'
import { writeClipboard } from '../lib/clipboard.ts'
import css from './EmptyState.module.css'
import { IconCheck, IconCopy } from './icons.ts'

interface Props {
  icon: ReactNode
  title: string
  children: ReactNode
  action?: ReactNode
  /** The same from a terminal. */
  command?: string
}

/** Says what a place is for, offers one button, and shows the command that does the same. */
export function EmptyState({ icon, title, children, action, command }: Props) {
  return (
    <div className={css.empty}>
      <div className={css.icon}>{icon}</div>
      <h2 className={css.title}>{title}</h2>
      <p className={css.text}>{children}</p>
      {action}
      {command && <Command text={command} />}
    </div>
  )
}

function Command({ text }: { text: string }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await writeClipboard(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 2_000)
  }
  return (
    <div className={css.command}>
      <div className={css.commandHead}>
        The same from a terminal
        <button type="button" className={css.copy} onClick={copy}>
          {copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
          {copied ? 'Copied' : 'Copy'}
        </button>
      </div>
      <pre className={css.code}>{text}</pre>
    </div>
  )
}
