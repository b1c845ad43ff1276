import type { ProjectContents } from '@slipway/sdk'
import * as api from '@slipway/sdk/resources'
import { useQuery } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { callOf } from '../lib/client.ts'
import { leaveProject } from '../lib/leave-project.ts'
import { countOf } from '../lib/numbers.ts'
import { reasonOf } from '../lib/outbox/write.ts'
import { Button } from '../ui/Button.tsx'
import dialog from '../ui/dialogs.module.css'
import { FormDialog } from '../ui/dialogs.tsx'
import { Field } from '../ui/fields.tsx'
import { IconAlertTriangle } from '../ui/icons.ts'
import css from './DangerZone.module.css'
import { deleteProject } from './edits.ts'

interface Props {
  project: { id: string; name: string }
  /** Whether it is the only project of the person. */
  isOnly: boolean
  onClose(): void
}

/** What the server counts, as people call it. Phases and the like go without a word. */
const KINDS = [
  ['requirements_document', 'requirement'],
  ['blueprint', 'blueprint'],
  ['work_order', 'work order'],
  ['feedback_item', 'report'],
  ['theme', 'theme'],
  ['artifact', 'file', 'files and folders'],
] as const

/** Deletes the project after its name was typed. */
export default function DeleteProject({ project, isOnly, onClose }: Props) {
  const router = useRouter()
  const [name, setName] = useState('')
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const contents = useQuery({
    queryKey: [project.id, 'contents'],
    queryFn: async ({ signal }) => (await api.projects(callOf(project.id)).getContents({ signal })).data,
    staleTime: 0,
  })
  const isNamed = name.trim() === project.name
  const remove = async () => {
    if (busy || !isNamed) return
    setBusy(true)
    setFault(undefined)
    const outcome = await deleteProject(project.id, { name: project.name })
    if (outcome.state === 'saved')
      return leaveProject(router, { projectId: project.id, text: `${project.name} is deleted.`, isDeleted: true })
    if (outcome.state === 'failed') setFault(reasonOf(outcome.fault))
    setBusy(false)
  }
  return (
    <FormDialog
      title={`Delete ${project.name}`}
      lead="This cannot be undone."
      icon={<IconAlertTriangle size={18} stroke={1.75} />}
      tone="danger"
      onClose={onClose}
      onSubmit={() => void remove()}
      footer={
        <>
          <span className={dialog.grow} />
          <Button onClick={onClose}>Cancel</Button>
          {!isOnly && (
            <Button type="submit" busy={busy} disabled={!isNamed} className={dialog.dangerous}>
              Delete the project
            </Button>
          )}
        </>
      }
    >
      {isOnly ? (
        <p>
          It is the only project you are in, so there would be nothing left for you to open. Open another project first,
          in the list at the top left, then delete this one.
        </p>
      ) : (
        <>
          {contents.data ? <Goes {...contents.data} /> : <p className={css.wait}>{contents.error?.message}</p>}
          <p className={css.export}>
            <Link to="/p/$projectId/settings/transfers" params={{ projectId: project.id }}>
              Export it first
            </Link>{' '}
            to keep everything in one file, which can be imported again.
          </p>
          <Field
            label={`Type ${project.name} to confirm`}
            value={name}
            fault={fault}
            autoComplete="off"
            data-autofocus
            onChange={setName}
          />
        </>
      )}
    </FormDialog>
  )
}

function Goes({ counts, members, left_without_project: left, keys }: ProjectContents) {
  const kinds = KINDS.flatMap(([kind, one, many]) => (counts[kind] ? [countOf(counts[kind], one, many)] : []))
  return (
    <>
      <p>For everyone and for good, this goes:</p>
      <ul className={css.goes}>
        <li>
          {kinds.length > 0 ? kinds.join(', ') : 'Nothing was written in it yet'}
          {kinds.length > 0 && ', with all history and comments'}
        </li>
        <li>
          Access of {countOf(members, 'member')}
          {left > 0 && `; ${left === 1 ? 'one of them is' : `${left} of them are`} in no other project`}
        </li>
        <li>{keys > 0 && `${countOf(keys, 'key')}, `}automations, webhooks and connected programs stop at once</li>
      </ul>
    </>
  )
}
