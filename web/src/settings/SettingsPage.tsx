import { useQuery } from '@tanstack/react-query'
import { Link, useRouteContext } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { keysQuery } from '../keys/api.ts'
import { usePageTitle } from '../lib/page-title.ts'
import {
  IconCpu,
  IconGitPullRequest,
  IconKey,
  IconPlugConnected,
  IconRobot,
  IconSettings,
  IconTransfer,
  IconUserCircle,
  IconUsers,
  IconWebhook,
} from '../ui/icons.ts'
import { TopBar } from '../ui/TopBar.tsx'
import { agentsQuery } from './agents/api.ts'
import { followAccess, membersQuery } from './api.ts'
import css from './Settings.module.css'

interface Props {
  title: string
  lead?: ReactNode
  /** Buttons of the page, in the top bar. */
  actions?: ReactNode
  children: ReactNode
}

/** The frame of every settings page of a project. Only pages that exist are listed. */
export function SettingsPage({ title, lead, actions, children }: Props) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  useEffect(followAccess, [])
  usePageTitle(`${title} · ${project.name}`)
  return (
    <>
      <TopBar
        path={
          <>
            {project.name} / Settings / <strong>{title}</strong>
          </>
        }
        title={title}
      >
        {actions}
      </TopBar>
      <div className={css.columns}>
        <SettingsNav projectId={project.id} isAdmin={project.role === 'admin'} />
        <div className={css.scroll}>
          <div className={css.content}>
            <h1 className={css.title}>{title}</h1>
            {lead && <p className={css.lead}>{lead}</p>}
            {children}
          </div>
        </div>
      </div>
    </>
  )
}

function SettingsNav({ projectId, isAdmin }: { projectId: string; isAdmin: boolean }) {
  const members = useQuery({ ...membersQuery(projectId), select: ({ length }) => length }).data
  const keys = useQuery({
    ...keysQuery(projectId),
    select: (all) => all.filter((key) => key.kind === 'external' && key.revoked_at === null).length,
  }).data
  const agents = useQuery({
    ...agentsQuery(projectId),
    select: (all) => all.filter(({ ended_at }) => ended_at === null).length,
  }).data
  // On a phone the pages are one line, in which the current one may be out of sight.
  const nav = useRef<HTMLElement>(null)
  useEffect(() => {
    const [line, current] = [nav.current, nav.current?.querySelector<HTMLElement>('[data-active]')]
    // Not scrollIntoView, after which the keyboard would begin in the middle of the page.
    if (line && current) line.scrollLeft = current.offsetLeft - (line.clientWidth - current.offsetWidth) / 2
  }, [])
  const link = { className: css.page, activeProps: { 'data-active': true }, params: { projectId } }
  return (
    <nav ref={nav} className={css.nav} aria-label="Settings">
      <h2 className={css.group}>Project</h2>
      <Link to="/p/$projectId/settings/general" {...link}>
        <IconSettings size={17} stroke={1.75} />
        <span className={css.grow}>General</span>
      </Link>
      <Link to="/p/$projectId/settings/members" {...link}>
        <IconUsers size={17} stroke={1.75} />
        <span className={css.grow}>Members</span>
        {members !== undefined && <span className={css.count}>{members}</span>}
      </Link>
      <Link to="/p/$projectId/settings/transfers" {...link}>
        <IconTransfer size={17} stroke={1.75} />
        <span className={css.grow}>Export and import</span>
      </Link>
      <h2 className={css.group}>Access</h2>
      <Link to="/p/$projectId/settings/keys" {...link}>
        <IconKey size={17} stroke={1.75} />
        <span className={css.grow}>API keys</span>
        {keys !== undefined && <span className={css.count}>{keys}</span>}
      </Link>
      <Link to="/p/$projectId/settings/agents" {...link}>
        <IconRobot size={17} stroke={1.75} />
        <span className={css.grow}>Coding agents</span>
        {agents !== undefined && <span className={css.count}>{agents}</span>}
      </Link>
      <h2 className={css.group}>Connect</h2>
      <Link to="/p/$projectId/settings/integrations" {...link}>
        <IconPlugConnected size={17} stroke={1.75} />
        <span className={css.grow}>Integrations</span>
      </Link>
      <Link to="/p/$projectId/settings/models" {...link}>
        <IconCpu size={17} stroke={1.75} />
        <span className={css.grow}>Models and budgets</span>
      </Link>
      {isAdmin && (
        <>
          <Link to="/p/$projectId/settings/webhooks" {...link}>
            <IconWebhook size={17} stroke={1.75} />
            <span className={css.grow}>Webhooks</span>
          </Link>
          <Link to="/p/$projectId/settings/code-hosts" {...link}>
            <IconGitPullRequest size={17} stroke={1.75} />
            <span className={css.grow}>Code hosts</span>
          </Link>
        </>
      )}
      <h2 className={css.group}>You</h2>
      <Link to="/p/$projectId/settings/account" {...link}>
        <IconUserCircle size={17} stroke={1.75} />
        <span className={css.grow}>Account</span>
      </Link>
    </nav>
  )
}
