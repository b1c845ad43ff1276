import { useState } from 'react'
import { usageOf } from '../../agents/cost.ts'
import { copyText } from '../../lib/copy-text.ts'
import { Button } from '../../ui/Button.tsx'
import { FormDialog } from '../../ui/dialogs.tsx'
import { IconLink, IconLock, IconPencil, IconTrash, IconUsers } from '../../ui/icons.ts'
import { MoreMenu } from '../../ui/MoreMenu.tsx'
import type { Transcript } from '../api.ts'
import { changeChat, deleteChat } from '../edits.ts'
import css from './ChatMenu.module.css'

const SIZE = { size: 16, stroke: 1.75 }

interface Props {
  projectId: string
  shown: Transcript
  mayChange: boolean
  onGone(): void
  /** On a phone, what has no room in the top bar elsewhere. */
  phone?: { showsCalls: boolean; onShowCalls(on: boolean): void }
}

/** What else can be done with a conversation. */
export function ChatMenu({ projectId, shown, mayChange, onGone, phone }: Props) {
  const { usage } = shown
  const tokens = usage.input_tokens + usage.output_tokens
  const [isRenaming, setRenaming] = useState(false)
  const pick = (value: string) => {
    if (value === 'link') void copyText(location.origin + location.pathname, 'Link copied')
    else if (value === 'calls') phone?.onShowCalls(!phone.showsCalls)
    else if (value === 'rename') setRenaming(true)
    else if (value === 'share') void changeChat(projectId, shown, { shared: !shown.shared })
    else {
      deleteChat(projectId, shown)
      onGone()
    }
  }
  return (
    <>
      <MoreMenu
        label="More about this conversation"
        onPick={pick}
        heading={phone && tokens > 0 ? `Used ${usageOf(usage.cost, tokens)}` : undefined}
        options={[
          ...(phone
            ? [{ value: 'calls', label: 'Tool activity', check: 'checkbox' as const, checked: phone.showsCalls }]
            : []),
          { value: 'link', label: 'Copy link', icon: <IconLink {...SIZE} /> },
          ...(mayChange
            ? [
                { value: 'rename', label: 'Rename…', icon: <IconPencil {...SIZE} /> },
                shown.shared
                  ? { value: 'share', label: 'Keep private', icon: <IconLock {...SIZE} /> }
                  : { value: 'share', label: 'Share with the project', icon: <IconUsers {...SIZE} /> },
              ]
            : []),
          ...(mayChange && shown.origin === 'user'
            ? [{ value: 'delete', label: 'Delete', icon: <IconTrash {...SIZE} />, danger: true, divided: true }]
            : []),
        ]}
      />
      {isRenaming && (
        <RenameDialog
          title={shown.title}
          onClose={() => setRenaming(false)}
          onRename={(title) => void changeChat(projectId, shown, { title })}
        />
      )}
    </>
  )
}

interface RenameProps {
  title: string
  onClose(): void
  onRename(title: string): void
}

function RenameDialog({ title, onClose, onRename }: RenameProps) {
  const [text, setText] = useState(title)
  const submit = () => {
    if (!text.trim()) return
    onRename(text.trim())
    onClose()
  }
  return (
    <FormDialog
      title="Rename the conversation"
      onClose={onClose}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" disabled={!text.trim()}>
            Rename
          </Button>
        </>
      }
    >
      <input
        className={css.field}
        aria-label="Name"
        maxLength={200}
        value={text}
        // biome-ignore lint/a11y/noAutofocus: the dialog was opened to type here.
        autoFocus
        onFocus={({ target }) => target.select()}
        onChange={({ target }) => setText(target.value)}
      />
    </FormDialog>
  )
}
