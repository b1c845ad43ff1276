import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { discardWrite } from '../../lib/outbox/index.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Kbd } from '../../ui/Kbd.tsx'
import css from './NameView.module.css'
import { changeView, namedView, saveView } from './saved-views.ts'

const close = () => namedView.set(undefined)

interface Props {
  open: NonNullable<ReturnType<typeof namedView.get>>
  projectId: string
}

/** Names a view and says who sees it. */
export default function NameView({ open, projectId }: Props) {
  const known = 'view' in open ? open.view : undefined
  const navigate = useNavigate()
  const [name, setName] = useState(known?.name ?? '')
  const [shared, setShared] = useState(known?.shared ?? false)
  const [fault, setFault] = useState<string>()
  const [busy, setBusy] = useState(false)
  const save = async () => {
    if (!name.trim()) return setFault('Give it a name.')
    setBusy(true)
    const values = { name: name.trim(), shared }
    const outcome = known
      ? await changeView(projectId, { view: known, change: values })
      : await saveView(projectId, { ...values, query: (open as { query: string }).query })
    if (outcome.state === 'failed' && outcome.fault.status < 500) {
      // A wrong name can be corrected here. Other failures are retried from the top bar.
      discardWrite(outcome.id)
      setFault(outcome.fault.message)
      return setBusy(false)
    }
    if (outcome.state === 'saved' && !known)
      void navigate({ to: '.', search: (old) => ({ ...old, saved: outcome.answer.id }), replace: true })
    close()
  }
  const choice = (value: boolean, text: string) => (
    <label className={css.choice}>
      <input type="radio" name="shared" checked={shared === value} onChange={() => setShared(value)} />
      {text}
    </label>
  )
  return (
    <Dialog label={known ? 'Change the view' : 'Save as view'} width={420} onClose={close}>
      <form
        className={css.body}
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <h2>{known ? 'Change the view' : 'Save as view'}</h2>
        <label className={css.field}>
          Name
          <input
            data-autofocus
            maxLength={100}
            value={name}
            placeholder="Ready for agents"
            onChange={(event) => {
              setName(event.target.value)
              setFault(undefined)
            }}
          />
        </label>
        <fieldset className={css.choices}>
          <legend>Shown to</legend>
          {choice(false, 'Only me')}
          {choice(true, 'Everyone in the project')}
        </fieldset>
        {fault && (
          <p className={css.fault} role="alert">
            {fault}
          </p>
        )}
        <footer className={css.foot}>
          <Button look="quiet" onClick={close}>
            Cancel
          </Button>
          <Button look="primary" type="submit" busy={busy}>
            Save <Kbd keys="enter" onAccent />
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
