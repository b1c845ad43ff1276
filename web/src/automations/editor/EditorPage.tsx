import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useRouteContext, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { PHONE, useWidth } from '../../lib/breakpoints.ts'
import { SlipwayError } from '../../lib/client.ts'
import { dropDraft } from '../../lib/drafts.ts'

import { useMayWrite } from '../../lib/may-write.ts'
import { reasonOf } from '../../lib/outbox/write.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { queryClient } from '../../lib/query-client.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { IconBolt, IconFlask, IconPlayerPlay } from '../../ui/icons.ts'
import { Kbd } from '../../ui/Kbd.tsx'
import { LoadFault } from '../../ui/LoadFault.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { TopBar } from '../../ui/TopBar.tsx'
import { type Automation, type AutomationRow, automationQuery, rowsQuery } from '../api.ts'
import { createAutomation, switchAutomation, updateAutomation } from '../edits.ts'
import { switchFault } from '../list/Row.tsx'
import { RunDialog } from '../RunDialog.tsx'
import { useShortcut } from '../shortcuts.ts'
import { useStartRun } from '../use-start-run.ts'
import { Conflicts } from './Conflicts.tsx'
import {
  changeOf,
  conflictsOf,
  type Draft,
  isSame,
  missingIn,
  newValues,
  rebased,
  type Values,
  valuesOf,
} from './draft.ts'
import css from './Editor.module.css'
import { keep, keptDraft } from './kept-draft.ts'
import { RecentRuns } from './RecentRuns.tsx'
import { Steps } from './Steps.tsx'

/** A new automation. It is a draft on this device until it is whole and saved. */
export function NewAutomationPage() {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const { template } = useSearch({ from: '/signed-in/p/$projectId/automations/new' })
  const mayWrite = useMayWrite()
  usePageTitle(`New automation · ${project.name}`)
  if (!mayWrite)
    return (
      <EmptyState icon={<IconBolt size={22} stroke={1.75} />} title="Viewers read automations">
        Editors and admins of the project make them.
      </EmptyState>
    )
  return <Editor key={template ?? ''} projectId={project.id} template={template} />
}

export function EditorPage() {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const automationId = useParams({ strict: false }).automationId!
  const query = useQuery(automationQuery(project.id, automationId))
  const rows = useQuery(rowsQuery(project.id)).data?.items
  usePageTitle(query.data?.name ?? 'Automation')
  const row = rows?.find(({ id }) => id === automationId)
  if (query.data && row) return <Editor key={automationId} projectId={project.id} automation={query.data} row={row} />
  if (query.error instanceof SlipwayError && query.error.status === 404)
    return (
      <EmptyState
        icon={<IconBolt size={22} stroke={1.75} />}
        title="There is no such automation"
        action={
          <Link to="/p/$projectId/automations" params={{ projectId: project.id }}>
            All automations
          </Link>
        }
      >
        It was deleted, or belongs to another project.
      </EmptyState>
    )
  return query.error ? (
    <LoadFault what="The automation" error={query.error} onRetry={query.refetch} />
  ) : (
    <div className={css.skeleton} aria-busy="true">
      <span />
      <span />
    </div>
  )
}

interface Props {
  projectId: string
  /** Undefined for a new one. */
  automation?: Automation
  row?: AutomationRow
  template?: string | undefined
}

/** Why a person only reads it. Undefined if they may change it. */
const readOnly = (row: AutomationRow | undefined) => {
  if (!row) return undefined
  if (row.is_built_in) return 'This automation is built in: it can be switched on and off, and nothing else.'
  if (row.may.edit) return undefined
  return `It acts with the rights of ${row.owner?.display_name ?? 'its owner'}, so only they or a Super Admin of the organization change it.`
}

function Editor({ projectId, automation, row, template }: Props) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const navigate = useNavigate()
  const isPhone = useWidth(PHONE)
  const stored = automation ? valuesOf(automation) : newValues(template)
  const draftName = `automation ${projectId} ${automation?.id ?? `new ${template ?? ''}`}`
  const [kept, setKept] = useState(() => keptDraft(draftName))
  const draft = kept && rebased(stored, kept)
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<{ pointer: string; detail: string }>()
  const values = draft?.values ?? stored
  const fixed = readOnly(row)
  const missing = missingIn(values)
  const isChanged = draft !== undefined && !isSame(draft.base, draft.values)
  const conflicts = draft ? conflictsOf(stored, draft) : []
  const keepAs = (next: Draft) => {
    setKept(next)
    setFault(undefined)
    keep(draftName, next)
  }
  const saveFault =
    missing.length > 0
      ? `It still needs ${missing.join(' and ')}.`
      : conflicts.length > 0
        ? 'Decide first about what somebody else changed.'
        : undefined
  const set = (change: Partial<Values>) => {
    const { base, values } = draft ?? { base: stored, values: stored }
    keepAs({ base, values: { ...values, ...change } })
  }
  const discard = () => {
    dropDraft(draftName)
    setKept(undefined)
    setFault(undefined)
  }
  const save = async () => {
    if (busy || missing.length > 0 || conflicts.length > 0 || (automation && !isChanged)) return
    setBusy(true)
    const outcome = automation
      ? await updateAutomation(projectId, {
          id: automation.id,
          change: { ...changeOf(draft!.base, draft!.values), expected_updated_at: automation.updated_at },
        })
      : await createAutomation(projectId, { ...values, enabled: false })
    setBusy(false)
    if (outcome.state === 'failed' && outcome.fault.status === 412) {
      await queryClient.invalidateQueries(automationQuery(projectId, automation!.id))
      return setFault({ pointer: '', detail: 'Somebody else saved it at the same time. Look at it, then save again.' })
    }
    if (outcome.state === 'failed')
      return setFault(outcome.fault.named ?? { pointer: '', detail: reasonOf(outcome.fault) })
    if (outcome.state !== 'saved') return
    discard()
    if (!automation)
      void navigate({
        to: '/p/$projectId/automations/$automationId',
        params: { projectId, automationId: outcome.answer.id },
        replace: true,
      })
  }
  useShortcut('automation-save', fixed === undefined ? () => void save() : undefined)
  const start = useStartRun(projectId, automation?.id)
  const [starting, setStarting] = useState(false)
  const mayStart = row?.may.edit && !row.is_built_in
  const startButtons = (
    <>
      {mayStart && (
        <Button
          icon={<IconFlask size={15} stroke={1.75} />}
          disabled={isChanged}
          title={
            isChanged ? 'Save your change first.' : 'Runs on today’s data and keeps what it would change as proposals.'
          }
          onClick={() => start(true)}
        >
          Dry run
        </Button>
      )}
      {mayStart && row.enabled && (
        <Button
          icon={<IconPlayerPlay size={15} stroke={1.75} />}
          disabled={isChanged}
          title={isChanged ? 'Save your change first.' : undefined}
          onClick={() => setStarting(true)}
        >
          Run now
        </Button>
      )}
      {isChanged && fixed === undefined && <Button onClick={discard}>Discard</Button>}
    </>
  )
  return (
    <>
      <TopBar
        path={
          <>
            <span className={css.wide}>
              {project.name} /{' '}
              <Link to="/p/$projectId/automations" params={{ projectId }}>
                Automations
              </Link>{' '}
              /{' '}
            </span>
            <strong>{values.name || 'New automation'}</strong>
          </>
        }
      >
        {isChanged && automation && !isPhone && <span className={css.unsaved}>Unsaved change</span>}
        {row && (
          <Switch
            checked={row.enabled}
            title={switchFault(row)}
            disabled={switchFault(row) !== undefined}
            onChange={(enabled) => void switchAutomation(projectId, { row, enabled })}
          >
            {isPhone ? <span className="sr-only">Enabled</span> : 'Enabled'}
          </Switch>
        )}
        {!isPhone && startButtons}
        {fixed === undefined && (
          <Button
            look="primary"
            busy={busy}
            disabled={missing.length > 0 || conflicts.length > 0 || (automation !== undefined && !isChanged)}
            title={saveFault}
            onClick={() => void save()}
          >
            Save <Kbd keys="mod+s" onAccent joined />
          </Button>
        )}
      </TopBar>
      <div className={css.page}>
        <div className={css.main}>
          <h1 className="sr-only">{values.name || 'New automation'}</h1>
          {isPhone && (mayStart || isChanged) && <div className={css.phone}>{startButtons}</div>}
          {fixed && (
            <p className={css.note} role="note">
              {fixed}
            </p>
          )}
          {!automation && (
            <p className={css.note} role="note">
              {missing.length > 0
                ? `A draft, kept on this device. It still needs ${missing.join(' and ')}.`
                : 'A draft, kept on this device. Once saved it is off: try it with a dry run, then switch it on.'}
            </p>
          )}
          {automation && row && !row.enabled && !row.is_built_in && (
            <p className={css.note} role="note">
              {row.paused
                ? row.paused.reason
                : 'It is off. A dry run shows what it would do today, and changes nothing.'}
            </p>
          )}
          {fault && fault.pointer === '' && (
            <p className={css.fault} role="alert">
              {fault.detail}
            </p>
          )}
          {draft && <Conflicts stored={stored} draft={draft} fields={conflicts} onDecide={keepAs} />}
          <Steps
            projectId={projectId}
            automation={automation}
            values={values}
            fault={fault}
            isFixed={fixed !== undefined}
            onChange={set}
          />
        </div>
        {row && <RecentRuns projectId={projectId} row={row} />}
        {starting && (
          <RunDialog name={values.name} onStart={(input) => start(false, input)} onClose={() => setStarting(false)} />
        )}
      </div>
    </>
  )
}
