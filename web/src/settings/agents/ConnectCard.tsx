import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { copyText } from '../../lib/copy-text.ts'
import { cx } from '../../lib/cx.ts'
import { remember, remembered } from '../../lib/storage.ts'
import { Button } from '../../ui/Button.tsx'
import { Checklist, ChecklistStep } from '../../ui/Checklist.tsx'
import { IconCheck, IconCopy, IconEye, IconGitPullRequest, IconPencil } from '../../ui/icons.ts'
import { Segments } from '../../ui/Segments.tsx'
import { Time } from '../../ui/Time.tsx'
import css from './Agents.module.css'
import type { ConnectedAgent } from './api.ts'
import { type AgentClient, CLIENTS } from './clients.ts'

const TAB = 'agent-client'

interface Props {
  projectId: string
  mayWrite: boolean
  firstCall: ConnectedAgent | undefined
}

/** How to connect an agent, in steps that turn green as they are done. */
export function ConnectCard({ projectId, mayWrite, firstCall }: Props) {
  const [client, setClient] = useState(() => CLIENTS.find(({ id }) => id === remembered(TAB)) ?? CLIENTS[0]!)
  const [scope, setScope] = useState<'full' | 'read'>(mayWrite ? 'full' : 'read')
  const [withKey, setWithKey] = useState(false)
  const [isCopied, setCopied] = useState(false)
  const url = `${location.origin}/mcp${scope === 'read' ? '/read' : ''}`
  const choose = (next: AgentClient) => {
    setClient(next)
    setCopied(false)
    remember(TAB, next.id)
  }
  return (
    <section className={css.card} aria-label="Connect an agent">
      <div className={css.head}>
        <div className={css.clients}>
          {CLIENTS.map((one) => (
            <button key={one.id} type="button" aria-pressed={one === client} onClick={() => choose(one)}>
              {one.name}
            </button>
          ))}
        </div>
        {mayWrite && (
          <Segments<'full' | 'read'>
            label="What it may do"
            options={[
              { value: 'full', label: 'Reads and writes', icon: <IconPencil size={15} stroke={1.75} /> },
              { value: 'read', label: 'Only reads', icon: <IconEye size={15} stroke={1.75} /> },
            ]}
            value={scope}
            onChange={setScope}
          />
        )}
      </div>
      <Checklist className={css.steps}>
        <ChecklistStep state={isCopied || firstCall ? 'done' : 'next'}>
          <p>{(withKey && client.whereWithKey) || client.where}</p>
          <Command text={(withKey ? client.withKey : client.text)(url)} onCopied={() => setCopied(true)} />
        </ChecklistStep>
        <ChecklistStep state={firstCall ? 'done' : 'next'}>
          {withKey ? (
            <p>
              Set <code>SLIPWAY_KEY</code> to a key from{' '}
              <Link className={css.link} to="/p/$projectId/settings/keys" params={{ projectId }}>
                API keys
              </Link>
              . It acts as you.
            </p>
          ) : (
            <p>{client.next}</p>
          )}
        </ChecklistStep>
        <ChecklistStep state={firstCall ? 'arrived' : isCopied ? 'waiting' : 'next'}>
          <p className={cx(css.call, firstCall && css.received)} role="status">
            {firstCall?.last_call ? (
              <>
                <strong>First call received</strong> <code>{firstCall.last_call.name}</code>{' '}
                <span>
                  from {firstCall.name} for you · <Time at={firstCall.last_call.at} as="when" />
                </span>
              </>
            ) : isCopied ? (
              'Waiting for its first call…'
            ) : (
              'Its first call is shown here.'
            )}
          </p>
        </ChecklistStep>
      </Checklist>
      <footer className={css.foot}>
        <span className={css.fact}>
          {mayWrite && scope === 'full' ? (
            <>
              <IconGitPullRequest size={15} stroke={1.75} /> Changes to documents arrive as suggestions
            </>
          ) : (
            <>
              <IconEye size={15} stroke={1.75} />
              {mayWrite ? 'It reads everything and changes nothing' : 'You are a viewer here, so your agents only read'}
            </>
          )}
        </span>
        {(mayWrite || withKey) && (
          <button type="button" className={css.link} onClick={() => setWithKey(!withKey)}>
            {withKey ? 'With a browser instead' : 'With a key instead, for pipelines'}
          </button>
        )}
      </footer>
    </section>
  )
}

function Command({ text, onCopied }: { text: string; onCopied(): void }) {
  const [isFresh, setFresh] = useState(false)
  const copy = async () => {
    if (!(await copyText(text))) return
    onCopied()
    setFresh(true)
    setTimeout(() => setFresh(false), 2_000)
  }
  return (
    <div className={css.command}>
      <pre>{text}</pre>
      <Button
        look={isFresh ? 'outline' : 'primary'}
        icon={isFresh ? <IconCheck size={15} /> : <IconCopy size={15} />}
        onClick={() => void copy()}
      >
        {isFresh ? 'Copied' : 'Copy'}
      </Button>
    </div>
  )
}
