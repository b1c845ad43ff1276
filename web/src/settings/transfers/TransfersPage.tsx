import { useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useMayWrite } from '../../lib/may-write.ts'
import { Button } from '../../ui/Button.tsx'
import { IconFileTypeCsv, IconFileZip, IconMarkdown, IconTransfer } from '../../ui/icons.ts'
import { SettingsPage } from '../SettingsPage.tsx'
import { isGoingOn, readEverythingAgain, transfersQuery } from './api.ts'
import { type NewTransfer, startTransfer } from './edits.ts'
import { DocumentsPreview, WorkOrdersPreview } from './ImportPreview.tsx'
import { RecentTransfers } from './RecentTransfers.tsx'
import css from './Transfers.module.css'

export function TransfersPage() {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const { data: transfers } = useQuery(transfersQuery(project.id))
  const [problem, setProblem] = useState<{ of: string; text: string }>()
  const [busy, setBusy] = useState<string>()
  const [previewed, setPreviewed] = useState<{ kind: 'work_orders' | 'documents'; file: File }>()
  const going = transfers?.find(isGoingOn)
  const isAdmin = project.role === 'admin'
  const mayWrite = useMayWrite()

  // What an import brings is nowhere on this page, but in everything that was read before.
  const wasGoing = useRef(false)
  useEffect(() => {
    if (wasGoing.current && !going) void readEverythingAgain(project.id)
    wasGoing.current = going !== undefined
  }, [going, project.id])

  const begin = async (wanted: NewTransfer) => {
    setProblem(undefined)
    setBusy(wanted.of)
    const outcome = await startTransfer(project.id, wanted)
    setBusy(undefined)
    if (outcome.state === 'saved') setPreviewed(undefined)
    if (outcome.state === 'failed') setProblem({ of: wanted.of, text: outcome.fault.message })
  }
  const preview = (kind: 'work_orders' | 'documents', file: File) => {
    setProblem(undefined)
    setPreviewed({ kind, file })
  }
  const waits = going !== undefined || busy !== undefined
  const shared = { waits, busy, problem }
  return (
    <SettingsPage
      title="Export and import"
      lead="Everything in this project can leave it as one zip file, and come back on this server or another one."
    >
      {isAdmin && (
        <Action
          {...shared}
          of="export"
          icon={<IconTransfer size={18} stroke={1.75} />}
          title="Export the project"
          verb="Export"
          onRun={() => void begin({ of: 'export' })}
        >
          Documents with all versions, work orders, feedback, files, history and everyone’s conversations. Keys,
          passwords and tokens stay here.
        </Action>
      )}
      {isAdmin && (
        <Action
          {...shared}
          of="project"
          icon={<IconFileZip size={18} stroke={1.75} />}
          title="Import a project"
          verb="Choose a zip file"
          accept=".zip,application/zip"
          onFile={(file) => void begin({ of: 'project', file })}
        >
          The file of an export, into a project in which nobody has worked yet. All of it comes, or nothing. Invite
          people first, so that what they wrote is theirs.
        </Action>
      )}
      {mayWrite && (
        <Action
          {...shared}
          of="work_orders"
          icon={<IconFileTypeCsv size={18} stroke={1.75} />}
          title="Import work orders"
          verb="Choose a CSV file"
          accept=".csv,text/csv,text/tab-separated-values,text/plain"
          onFile={(file) => preview('work_orders', file)}
        >
          From Jira, Linear, or any table with a title in it. You see what will happen first. A second import of the
          same file adds only what is new.
        </Action>
      )}
      {mayWrite && (
        <Action
          {...shared}
          of="documents"
          icon={<IconMarkdown size={18} stroke={1.75} />}
          title="Import documents"
          verb="Choose a zip file"
          accept=".zip,application/zip"
          onFile={(file) => preview('documents', file)}
        >
          A folder of markdown, packed as a zip file. Its folders become the tree.
        </Action>
      )}
      {!isAdmin && <p className={css.note}>Admins of the project export and import the whole of it.</p>}
      {transfers && transfers.length > 0 && <RecentTransfers projectId={project.id} transfers={transfers} />}
      {previewed?.kind === 'work_orders' && (
        <WorkOrdersPreview
          projectId={project.id}
          file={previewed.file}
          busy={busy !== undefined}
          refusal={problem?.text}
          onImport={() => void begin({ of: 'work_orders', file: previewed.file })}
          onClose={() => setPreviewed(undefined)}
        />
      )}
      {previewed?.kind === 'documents' && (
        <DocumentsPreview
          projectId={project.id}
          file={previewed.file}
          busy={busy !== undefined}
          refusal={problem?.text}
          onImport={(kind) => void begin({ of: 'documents', file: previewed.file, kind })}
          onClose={() => setPreviewed(undefined)}
        />
      )}
    </SettingsPage>
  )
}

interface ActionProps {
  of: string
  icon: ReactNode
  title: string
  verb: string
  accept?: string
  waits: boolean
  busy: string | undefined
  problem: { of: string; text: string } | undefined
  onRun?(): void
  onFile?(file: File): void
  children: ReactNode
}

/** One thing that can be done here, with its button. */
function Action({ of, icon, title, verb, accept, waits, busy, problem, onRun, onFile, children }: ActionProps) {
  const chooser = useRef<HTMLInputElement>(null)
  return (
    <section className={css.action} aria-label={title}>
      <span className={css.sign}>{icon}</span>
      <div className={css.grow}>
        <h2 className={css.name}>{title}</h2>
        <p className={css.text}>{children}</p>
        {problem?.of === of && (
          <p className={css.problem} role="alert">
            {problem.text}
          </p>
        )}
      </div>
      <Button
        look={onRun ? 'primary' : 'outline'}
        disabled={waits && busy !== of}
        busy={busy === of}
        onClick={() => (onRun ? onRun() : chooser.current?.click())}
      >
        {verb}
      </Button>
      {onFile && (
        <input
          ref={chooser}
          type="file"
          className="sr-only"
          tabIndex={-1}
          aria-label={`${title}: file`}
          accept={accept}
          onChange={(event) => {
            const file = event.target.files?.[0]
            // The same file can be chosen again.
            event.target.value = ''
            if (file) onFile(file)
          }}
        />
      )}
    </section>
  )
}
