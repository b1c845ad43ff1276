import type { WorkOrderCode } from '@slipway/sdk'
import { useQuery } from '@tanstack/react-query'
import { cx } from '../../lib/cx.ts'
import { fullTimeOf } from '../../lib/time.ts'
import {
  IconGitCommit,
  IconGitMerge,
  IconGitPullRequest,
  IconGitPullRequestClosed,
  IconGitPullRequestDraft,
} from '../../ui/icons.ts'
import { codeQuery } from '../api.ts'
import css from './CodeList.module.css'

const STATES = {
  draft: { label: 'Draft', Sign: IconGitPullRequestDraft },
  open: { label: 'Open', Sign: IconGitPullRequest },
  merged: { label: 'Merged', Sign: IconGitMerge },
  closed: { label: 'Closed', Sign: IconGitPullRequestClosed },
}
const SHORT = 7

/** The commits and pull requests that name a work order. Nothing if there are none. */
export function CodeList({ projectId, workOrderId }: { projectId: string; workOrderId: string }) {
  const all = useQuery(codeQuery(projectId, workOrderId)).data ?? []
  if (all.length === 0) return null
  return (
    <section className={css.code} aria-label="Code">
      <h2 className={css.head}>
        Code <span className={css.count}>{all.length}</span>
      </h2>
      <ul className={css.list}>
        {all.map((one) => (
          <li key={`${one.kind} ${one.repository} ${one.reference}`}>
            <CodeLine code={one} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function CodeLine({ code }: { code: WorkOrderCode }) {
  const { kind, title, repository, reference, url, author, state } = code
  const shown = state && STATES[state]
  const Sign = shown?.Sign ?? IconGitCommit
  const place = kind === 'commit' ? reference.slice(0, SHORT) : `#${reference}`
  const hint = `${repository} ${place}${author ? `, ${author}` : ''}, ${fullTimeOf(code.changed_at)}`
  const inside = (
    <>
      <Sign size={16} stroke={1.75} className={cx(css.sign, state && css[state])} />
      <span className={css.title}>{title}</span>
      {shown && <span className={cx(css.state, css[state])}>{shown.label}</span>}
      <span className={css.place}>{place}</span>
    </>
  )
  return url ? (
    <a className={css.line} href={url} target="_blank" rel="noreferrer noopener" title={hint}>
      {inside}
    </a>
  ) : (
    <span className={css.line} title={hint}>
      {inside}
    </span>
  )
}
