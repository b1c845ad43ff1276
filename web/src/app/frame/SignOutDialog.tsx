import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import css from '../../ui/dialogs.module.css'
import { FormDialog } from '../../ui/dialogs.tsx'
import { IconDeviceFloppy } from '../../ui/icons.ts'
import { countUnsent, leaveNow } from './sign-out.ts'

const countOf = (count: number, one: string, many: string) =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : many}`]

/** Asks what becomes of work that only this device has. */
export default function SignOutDialog({ onClose }: { onClose(): void }) {
  const [{ changes, drafts }] = useState(countUnsent)
  const [busy, setBusy] = useState<'keep' | 'delete'>()
  const parts = [...countOf(changes, 'unsent change', 'unsent changes'), ...countOf(drafts, 'draft', 'drafts')]
  const go = async (what: 'keep' | 'delete') => {
    setBusy(what)
    await leaveNow({ forgets: what === 'delete' })
    onClose()
  }
  return (
    <FormDialog
      title={`Sign out with ${parts.join(' and ')}?`}
      icon={<IconDeviceFloppy size={18} stroke={1.75} />}
      onClose={onClose}
      onSubmit={() => void go('keep')}
      footer={
        <>
          <Button busy={busy === 'delete'} className={css.dangerous} onClick={() => void go('delete')}>
            Delete and sign out
          </Button>
          <span className={css.grow} />
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={busy === 'keep'} data-autofocus>
            Keep and sign out
          </Button>
        </>
      }
    >
      <p>
        Only this device has this work. If you keep it, it waits here until you sign in again in this browser. Nobody
        else who signs in sees it.
      </p>
    </FormDialog>
  )
}
