import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { reasonOf } from '../../lib/outbox/write.ts'
import { Button } from '../../ui/Button.tsx'
import { IconPlugConnected } from '../../ui/icons.ts'
import { Switch } from '../../ui/Switch.tsx'
import { integrationsQuery } from '../api.ts'
import { type TestedTool, testIntegration } from '../edits.ts'
import { ConnectDialog } from './ConnectDialog.tsx'
import css from './Editor.module.css'
import type { StepProps } from './step-props.ts'

/** The owner's integrations that the agent may use, all of their tools or some. */
export function Grants({ projectId, automation, values, isFixed, onChange }: StepProps) {
  const query = useQuery(integrationsQuery(projectId, automation?.id))
  const [connecting, setConnecting] = useState(false)
  const grants = values.integration_grants
  const known = query.data ?? []
  const gone = grants.filter(({ id }) => query.data && !known.some((one) => one.id === id))
  const set = (id: string, tools: string[] | null | undefined) => {
    const others = grants.filter((one) => one.id !== id)
    onChange({ integration_grants: tools === undefined ? others : [...others, { id, tools }] })
  }
  return (
    <>
      <ul className={css.grants}>
        {known.map(({ id, display_name }) => (
          <Grant
            key={id}
            projectId={projectId}
            id={id}
            name={display_name}
            grant={grants.find((one) => one.id === id)}
            isFixed={isFixed}
            onChange={(tools) => set(id, tools)}
          />
        ))}
        {gone.map(({ id }) => (
          <li key={id}>
            <span className={css.dim}>An integration that is no longer connected</span>
            <Button onClick={() => set(id, undefined)}>Remove</Button>
          </li>
        ))}
      </ul>
      {known.length === 0 && <p className={css.dim}>No integration is connected. The agent works in Slipway only.</p>}
      {!isFixed && (
        <Button icon={<IconPlugConnected size={15} stroke={1.75} />} onClick={() => setConnecting(true)}>
          Connect an MCP server
        </Button>
      )}
      {connecting && <ConnectDialog projectId={projectId} onClose={() => setConnecting(false)} />}
    </>
  )
}

interface Props {
  projectId: string
  id: string
  name: string
  grant: { tools: string[] | null } | undefined
  isFixed: boolean
  /** Undefined takes the grant away, null grants all tools. */
  onChange(tools: string[] | null | undefined): void
}

function Grant({ projectId, id, name, grant, isFixed, onChange }: Props) {
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const [tools, setTools] = useState<TestedTool[]>()
  const test = async () => {
    setBusy(true)
    const outcome = await testIntegration(projectId, { id })
    setBusy(false)
    setFault(outcome.state === 'failed' ? reasonOf(outcome.fault) : undefined)
    setTools(outcome.state === 'saved' ? outcome.answer : undefined)
  }
  const isGranted = (tool: string) => grant !== undefined && (grant.tools === null || grant.tools.includes(tool))
  const toggle = (tool: string) => {
    const all = tools?.map((one) => one.name) ?? []
    const next = all.filter((one) => (one === tool ? !isGranted(one) : isGranted(one)))
    onChange(next.length === 0 ? undefined : next.length === all.length ? null : next)
  }
  return (
    <li>
      <span className={css.grantName}>
        <strong>{name}</strong>
        <span className={css.dim}>
          {grant === undefined
            ? 'connected, not granted'
            : grant.tools === null
              ? 'all of its tools'
              : `${grant.tools.length} of its tools`}
        </span>
      </span>
      <Button busy={busy} disabled={isFixed} aria-label={`Test connection of ${name}`} onClick={() => void test()}>
        Test connection
      </Button>
      <Switch
        checked={grant !== undefined}
        label={`Grant ${name}`}
        disabled={isFixed}
        onChange={(isOn) => onChange(isOn ? null : undefined)}
      >
        {null}
      </Switch>
      {fault && (
        <p className={css.fault} role="alert">
          {fault}
        </p>
      )}
      {tools && (
        <fieldset className={css.toolList}>
          <legend>It answers. Its {tools.length} tools:</legend>
          {tools.map((tool) => (
            <label key={tool.name} title={tool.description}>
              <input type="checkbox" checked={isGranted(tool.name)} onChange={() => toggle(tool.name)} />
              <code>{tool.name}</code>
              {tool.read_only && <span className={css.dim}>only reads</span>}
            </label>
          ))}
        </fieldset>
      )}
    </li>
  )
}
