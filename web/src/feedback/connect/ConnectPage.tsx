import { useQuery } from '@tanstack/react-query'
import { Link, useRouteContext } from '@tanstack/react-router'
import { useState } from 'react'
import { setOrigins } from '../../keys/edits.ts'
import { CodeText } from '../../lib/CodeText.tsx'
import { copyText } from '../../lib/copy-text.ts'
import { useMayWrite } from '../../lib/may-write.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { useShortcut } from '../../lib/shortcuts.ts'
import { useStore } from '../../lib/store.ts'
import { Button } from '../../ui/Button.tsx'
import { Checklist, ChecklistStep } from '../../ui/Checklist.tsx'
import { Secret } from '../../ui/dialogs.tsx'
import { IconArrowRight, IconCircleCheck, IconCopy, IconPlus, IconX } from '../../ui/icons.ts'
import { LoadFault } from '../../ui/LoadFault.tsx'
import { Time } from '../../ui/Time.tsx'
import { TopBar } from '../../ui/TopBar.tsx'
import { Toolbar } from '../../ui/toolbar/Toolbar.tsx'
import { FeedbackTabs } from '../FeedbackTabs.tsx'
import { type ApiKey, type FirstReport, firstReportQuery, type ReadyKey, readyKey, reportingKeysQuery } from './api.ts'
import css from './Connect.module.css'
import { NewKeyDialog, OriginsDialog } from './KeyDialogs.tsx'
import { KeyTable } from './KeyTable.tsx'
import { LANGUAGES, SNIPPET_NAMES, SNIPPETS, type Snippet, snippetOf } from './snippets.ts'
import { WidgetPreview } from './WidgetPreview.tsx'

const UNKNOWN = 'sf-rpt-…'

export function ConnectPage() {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const query = useQuery(reportingKeysQuery(project.id))
  const made = useStore(readyKey)
  const ready = made?.projectId === project.id ? made : undefined
  const report = useQuery(firstReportQuery(project.id, ready?.id)).data
  const [making, setMaking] = useState(false)
  const mayWrite = useMayWrite()
  usePageTitle(`Connect · ${project.name}`)
  const create = () => setMaking(true)
  useShortcut('create', mayWrite ? create : undefined)
  const key = query.data?.find(({ id }) => id === ready?.id)
  return (
    <>
      <TopBar
        path={
          <>
            {project.name} / Feedback / <strong>Connect</strong>
          </>
        }
        title="Connect"
      >
        {mayWrite && (
          <Button look="primary" icon={<IconPlus size={16} />} onClick={create}>
            New reporting key
          </Button>
        )}
      </TopBar>
      <Toolbar>
        <FeedbackTabs open="connect" />
      </Toolbar>
      <div className={css.page}>
        <div className={css.main}>
          <h1 className={css.title}>Let your app report to Slipway</h1>
          <p className={css.lead}>
            A reporting key can send feedback into this project and nothing else. It is safe in a web page.
          </p>
          <Checklist className={css.steps}>
            <ChecklistStep state={ready ? 'done' : 'next'} title={ready?.name ?? 'Make a reporting key'}>
              {ready ? (
                <KeyStep ready={ready} apiKey={key} projectId={project.id} />
              ) : mayWrite ? (
                <Button onClick={create}>New reporting key</Button>
              ) : (
                <p className={css.dim}>Editors and admins make reporting keys.</p>
              )}
            </ChecklistStep>
            <ChecklistStep state={ready ? (report ? 'done' : 'next') : 'later'} title="Put it into your app">
              <Snippets projectId={project.id} value={ready?.key ?? UNKNOWN} />
            </ChecklistStep>
            <ChecklistStep
              state={report ? 'arrived' : ready ? 'waiting' : 'later'}
              title={report ? 'First report received' : ready ? 'Waiting for the first report…' : 'First report'}
            >
              {report && <Arrived report={report} projectId={project.id} />}
            </ChecklistStep>
          </Checklist>
          {query.error && !query.data && (
            <LoadFault what="The reporting keys" error={query.error} onRetry={query.refetch} />
          )}
          {query.data && query.data.length > 0 && <KeyTable keys={query.data} projectId={project.id} />}
        </div>
        <aside className={css.side} aria-label="The widget">
          <WidgetPreview projectId={project.id} />
        </aside>
      </div>
      {making && <NewKeyDialog projectId={project.id} onClose={() => setMaking(false)} />}
    </>
  )
}

const Arrived = ({ report: { number, title, email, at }, projectId }: { report: FirstReport; projectId: string }) => (
  <div className={css.report}>
    <IconCircleCheck size={18} stroke={1.75} />
    <div className={css.said}>
      <strong>FB-{number}</strong> from <strong>{email}</strong> · <Time at={at} as="ago" />
      <br />“{title}”
    </div>
    <Link to="/p/$projectId/feedback/$number" params={{ projectId, number: String(number) }} className={css.open}>
      Open in Inbox <IconArrowRight size={15} stroke={1.75} />
    </Link>
  </div>
)

function KeyStep({ ready, apiKey, projectId }: { ready: ReadyKey; apiKey: ApiKey | undefined; projectId: string }) {
  const [editing, setEditing] = useState(false)
  const origins = apiKey?.allowed_origins ?? []
  return (
    <>
      <Secret
        label="The reporting key"
        text={ready.key}
        tone="amber"
        note="Shown once. Slipway keeps only a hash; if it is lost, rotate it."
        onCopied={() => undefined}
      />
      {apiKey && (
        <p className={css.allowed}>
          Allowed origins
          {origins.map((one) => (
            <span key={one} className={css.origin}>
              {one}
              <button
                type="button"
                aria-label={`Remove ${one}`}
                onClick={() => {
                  const left = origins.filter((other) => other !== one)
                  void setOrigins(projectId, { key: apiKey, origins: left.length > 0 ? left : null })
                }}
              >
                <IconX size={13} />
              </button>
            </span>
          ))}
          {origins.length === 0 && <span>every origin</span>}
          <button type="button" className={css.add} onClick={() => setEditing(true)}>
            Add
          </button>
        </p>
      )}
      {editing && apiKey && <OriginsDialog projectId={projectId} apiKey={apiKey} onClose={() => setEditing(false)} />}
    </>
  )
}

function Snippets({ projectId, value }: { projectId: string; value: string }) {
  const [shown, setShown] = useState<Snippet>('script')
  const text = snippetOf(shown, { origin: location.origin, projectId, key: value })
  return (
    <div className={css.snippets}>
      <div className={css.tabs}>
        {SNIPPETS.map((one) => (
          <button key={one} type="button" aria-pressed={one === shown} onClick={() => setShown(one)}>
            {SNIPPET_NAMES[one]}
          </button>
        ))}
        <span className={css.grow} />
        <button type="button" className={css.copy} onClick={() => void copyText(text, 'Snippet copied')}>
          <IconCopy size={15} stroke={1.75} /> <span className={css.copyName}>Copy</span>
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must be reachable by keys. */}
      <pre className={css.code} tabIndex={0}>
        <CodeText text={text} language={LANGUAGES[shown]} />
      </pre>
    </div>
  )
}
