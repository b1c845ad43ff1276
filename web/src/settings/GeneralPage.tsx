import { useRouteContext, useRouter } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { reasonOf } from '../lib/outbox/write.ts'
import { readSessionAgain } from '../lib/session.ts'
import { showToast } from '../lib/toasts.ts'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/fields.tsx'
import css from './Account.module.css'
import { DangerZone } from './DangerZone.tsx'
import { renameProject } from './edits.ts'
import { SettingsPage } from './SettingsPage.tsx'

export function GeneralPage() {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  return (
    <SettingsPage title="General" lead="What the project is called, for everyone in it.">
      <div className={css.sections}>
        <NameForm key={project.name} {...project} />
        <DangerZone />
      </div>
    </SettingsPage>
  )
}

function NameForm({ id, name, role }: { id: string; name: string; role: string }) {
  const router = useRouter()
  const [text, setText] = useState(name)
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const isAdmin = role === 'admin'
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!text.trim()) return setFault('Enter a name.')
    setBusy(true)
    setFault(undefined)
    const outcome = await renameProject(id, { name: text.trim() })
    if (outcome.state === 'saved') {
      await readSessionAgain()
      await router.invalidate()
      showToast({ text: `The project is called "${outcome.answer.name}" now.` })
    } else if (outcome.state === 'failed') setFault(reasonOf(outcome.fault))
    setBusy(false)
  }
  return (
    <form className={css.section} onSubmit={submit} noValidate>
      <Field
        label="Name"
        maxLength={200}
        value={text}
        fault={fault}
        readOnly={!isAdmin}
        hint={isAdmin ? undefined : 'Admins of the project can change it.'}
        onChange={setText}
      />
      <Field
        label="Id"
        value={id}
        readOnly
        hint="Scripts and the header X-Project-Id use it."
        onChange={() => undefined}
      />
      {isAdmin && (
        <Button type="submit" busy={busy} disabled={text.trim() === name}>
          Save
        </Button>
      )}
    </form>
  )
}
