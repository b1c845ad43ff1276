import * as api from '@slipway/sdk/resources'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { callOf } from '../../lib/client.ts'
import { inWords } from '../../lib/kinds.ts'
import { countOf } from '../../lib/numbers.ts'
import { Button } from '../../ui/Button.tsx'
import { FormDialog } from '../../ui/dialogs.tsx'
import settings from '../Settings.module.css'
import { type DocumentsImportPreview, PATIENT, type WorkOrdersImportPreview } from './api.ts'
import css from './Transfers.module.css'

interface Props {
  projectId: string
  file: File
  busy: boolean
  refusal: string | undefined
  onClose(): void
}

const SOURCES = {
  jira: 'an export of Jira',
  linear: 'an export of Linear',
  slipway: 'a list of Slipway',
  csv: 'a table',
}

/** What would become of each row of a table. */
export function WorkOrdersPreview({ onImport, ...props }: Props & { onImport(): void }) {
  const { projectId, file } = props
  const preview = useQuery({
    queryKey: [projectId, 'import-preview', file.name, file.lastModified, file.size],
    queryFn: async ({ signal }) =>
      (await api.transfers(callOf(projectId)).previewWorkOrders({ file }, { ...PATIENT, signal })).data,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  return (
    <PreviewDialog {...props} title="Import work orders" noun="work order" preview={preview} onImport={onImport}>
      {preview.data && <WorkOrderRows preview={preview.data} />}
    </PreviewDialog>
  )
}

function WorkOrderRows({ preview }: { preview: WorkOrdersImportPreview }) {
  const { columns, rows, new_labels: labels, new_phases: phases, source } = preview
  const left = columns.filter(({ field, column }) => field === null && column !== '').map(({ column }) => column)
  const total = preview.to_create + preview.to_skip + preview.to_refuse
  return (
    <>
      <p>
        This is {SOURCES[source]}.
        {left.length > 0 && ` Left out: ${[...new Set(left)].slice(0, 12).join(', ')}${left.length > 12 ? '…' : '.'}`}
      </p>
      {labels.length > 0 && <p>New labels: {labels.slice(0, 20).join(', ')}.</p>}
      {phases.length > 0 && <p>New phases: {phases.slice(0, 20).join(', ')}.</p>}
      <div className={css.tableBox}>
        <table className={settings.table}>
          <thead>
            <tr>
              <th>Line</th>
              <th>Title</th>
              <th>Status</th>
              <th className={settings.wide}>Priority</th>
              <th className={settings.wide}>Assignee</th>
              <th className={settings.wide}>Phase</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.line} data-action={row.action} className={css.planned}>
                <td className={css.dim}>{row.line}</td>
                <td className={css.title}>
                  {row.key && <span className={css.dim}>{row.key} </span>}
                  {row.title || 'No title'}
                  <Mark action={row.action} />
                </td>
                <td>{inWords(row.status)}</td>
                <td className={settings.wide}>{inWords(row.priority)}</td>
                <td className={settings.wide}>{row.assignee ?? '–'}</td>
                <td className={settings.wide}>{row.phase ?? '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {total > rows.length && (
        <p className={css.dim}>
          The first {rows.length} of {countOf(total, 'row')}.
        </p>
      )}
    </>
  )
}

const KINDS = [
  { value: 'requirements', label: 'Requirements' },
  { value: 'blueprints', label: 'Blueprints' },
] as const
type Kind = (typeof KINDS)[number]['value']

/** What would become of each file of a folder. */
export function DocumentsPreview({ onImport, ...props }: Props & { onImport(kind: Kind): void }) {
  const { projectId, file } = props
  const [kind, setKind] = useState<Kind>('requirements')
  const preview = useQuery({
    queryKey: [projectId, 'import-preview', kind, file.name, file.lastModified, file.size],
    queryFn: async ({ signal }) =>
      (await api.transfers(callOf(projectId)).previewDocuments({ file, kind }, { ...PATIENT, signal })).data,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  return (
    <PreviewDialog
      {...props}
      title="Import documents"
      noun="document"
      preview={preview}
      onImport={() => onImport(kind)}
    >
      <fieldset className={css.kinds}>
        <legend>They become</legend>
        {KINDS.map(({ value, label }) => (
          <label key={value}>
            <input type="radio" name="kind" checked={kind === value} onChange={() => setKind(value)} /> {label}
          </label>
        ))}
      </fieldset>
      {preview.data && <DocumentRows preview={preview.data} />}
    </PreviewDialog>
  )
}

function DocumentRows({ preview: { documents, ...preview } }: { preview: DocumentsImportPreview }) {
  const total = preview.to_create + preview.to_skip + preview.to_refuse
  return (
    <>
      <ul className={css.tree}>
        {documents.map(({ path, title, depth, action }) => (
          <li key={path} className={css.planned} data-action={action} style={{ paddingLeft: depth * 18 }}>
            {title} <Mark action={action} />
            <span className={css.dim}>{path}</span>
          </li>
        ))}
      </ul>
      {total > documents.length && (
        <p className={css.dim}>
          The first {documents.length} of {countOf(total, 'document')}.
        </p>
      )}
    </>
  )
}

const Mark = ({ action }: { action: 'create' | 'skip' | 'refuse' }) =>
  action === 'create' ? null : (
    <span className={css.mark} data-action={action}>
      {action === 'skip' ? 'Is here' : 'Left out'}
    </span>
  )

interface Previewed {
  data:
    | { to_create: number; to_skip: number; to_refuse: number; problems: { where: string; detail: string }[] }
    | undefined
  error: Error | null
}

const leftAlone = ({ to_skip, to_refuse }: { to_skip: number; to_refuse: number }) =>
  [to_skip > 0 && `${countOf(to_skip, 'is', 'are')} here already`, to_refuse > 0 && `${to_refuse} left out`]
    .filter((one) => one !== false)
    .join(', ')

interface DialogProps extends Props {
  title: string
  noun: string
  preview: Previewed
  onImport(): void
  children: ReactNode
}

function PreviewDialog({ title, noun, file, preview, busy, refusal, onImport, onClose, children }: DialogProps) {
  const { data, error } = preview
  const fault = refusal ?? error?.message
  return (
    <FormDialog
      title={title}
      lead={file.name}
      width={860}
      onClose={onClose}
      onSubmit={() => data && data.to_create > 0 && onImport()}
      footer={
        <>
          <span className={css.footnote} aria-live="polite">
            {data ? leftAlone(data) : error ? '' : 'Reading the file…'}
          </span>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={busy} disabled={!data || data.to_create === 0} data-autofocus>
            {data ? `Import ${countOf(data.to_create, noun)}` : 'Import'}
          </Button>
        </>
      }
    >
      {fault && (
        <p className={css.problem} role="alert">
          {fault}
        </p>
      )}
      {data && data.problems.length > 0 && (
        <details className={css.problems} open={data.problems.length <= 3}>
          <summary>{countOf(data.problems.length, 'remark')}</summary>
          <ul>
            {data.problems.map(({ where, detail }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
              <li key={index}>
                <span className={css.dim}>{where}:</span> {detail}
              </li>
            ))}
          </ul>
        </details>
      )}
      {children}
    </FormDialog>
  )
}
