import type { ConnectionRequest } from '@slipway/sdk'
import * as api from '@slipway/sdk/resources'
import { useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { callOf } from '../lib/client.ts'
import { queryClient } from '../lib/query-client.ts'
import { type Project, sessionQuery, signOut } from '../lib/session.ts'
import { remembered } from '../lib/storage.ts'
import { Avatar } from '../people/Avatar.tsx'
import { Submit } from '../ui/fields.tsx'
import { IconAlertCircle, IconCircleCheck, IconEye, IconPencil, IconShieldLock } from '../ui/icons.ts'
import { Logo } from '../ui/Logo.tsx'
import { Select } from '../ui/Select.tsx'
import css from './ConnectApp.module.css'
import entry from './Entry.module.css'
import { Entry } from './Entry.tsx'

type Scope = ConnectionRequest['scopes'][number]

/** Asks whether a program may act as the person. The program has sent the browser here. */
export function ConnectApp() {
  // As the program wrote it: the server checks every letter.
  const [query] = useState(() => location.search.slice(1))
  const asked = useQuery({
    queryKey: ['connection-request', query],
    queryFn: async ({ signal }) => (await api.account(callOf()).readAppRequest(query, { signal })).data,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (asked.isError)
    return (
      <Entry>
        <Logo />
        <h1 className={entry.title}>This cannot be connected</h1>
        <p className={entry.lead} role="alert">
          {asked.error.message}
        </p>
        <a href="/" className={entry.other}>
          Go to the workspace
        </a>
      </Entry>
    )
  return asked.data ? <Question request={asked.data} query={query} /> : <Entry>{null}</Entry>
}

function Question({ request, query }: { request: ConnectionRequest; query: string }) {
  const { session } = useRouteContext({ from: '/signed-in' })
  const { user, projects } = session
  const [projectId, setProjectId] = useState(
    () => (projects.find(({ id }) => id === remembered('project')) ?? projects[0])?.id,
  )
  const project = projects.find(({ id }) => id === projectId)
  const [wanted, setWanted] = useState<Scope>('full')
  const mayWrite = request.scopes.includes('full') && project?.role !== 'viewer'
  const scope: Scope = mayWrite ? wanted : 'read'
  const [state, setState] = useState<'asking' | 'busy' | 'allowed' | 'denied'>('asking')
  const [fault, setFault] = useState<string>()

  const leave = (url: string, how: 'allowed' | 'denied') => {
    setState(how)
    location.assign(url)
  }
  const allow = async (event: FormEvent) => {
    event.preventDefault()
    if (state !== 'asking' || !project) return
    setState('busy')
    setFault(undefined)
    try {
      const { data } = await api.account(callOf(project.id)).connectApp({ query, scope }, { retries: 0 })
      leave(data.url, 'allowed')
    } catch (err) {
      setFault((err as Error).message)
      setState('asking')
    }
  }
  const change = async () => {
    await signOut()
    queryClient.removeQueries({ queryKey: sessionQuery.queryKey })
    location.reload()
  }

  if (state === 'allowed' || state === 'denied') return <Done name={request.name} isAllowed={state === 'allowed'} />
  return (
    <Entry below={<Advice />}>
      <Logo />
      <h1 className={entry.title}>Connect {request.name}?</h1>
      <p className={entry.lead}>It asks to work in Slipway as you.</p>
      <form className={entry.form} onSubmit={allow}>
        <div className={entry.me}>
          <Avatar person={{ id: user.id, name: user.display_name, email: user.email }} size={28} />
          <div className={entry.grow}>
            <strong>{user.display_name}</strong>
            <p>{user.email}</p>
          </div>
          <button type="button" className={entry.link} onClick={change}>
            Not you?
          </button>
        </div>
        {project ? (
          <>
            <ProjectField projects={projects} project={project} onPick={setProjectId} />
            <fieldset className={css.scopes}>
              <legend className={css.label}>It may</legend>
              <ScopeOption scope="full" chosen={scope} onPick={setWanted} isOff={!mayWrite}>
                <IconPencil size={17} stroke={1.75} />
                <span>
                  <strong>Read and write</strong>
                  {project.role === 'viewer'
                    ? 'Not possible: you are a viewer there.'
                    : request.scopes.includes('full')
                      ? 'Whatever you may do by hand.'
                      : 'It does not ask for this.'}
                </span>
              </ScopeOption>
              <ScopeOption scope="read" chosen={scope} onPick={setWanted}>
                <IconEye size={17} stroke={1.75} />
                <span>
                  <strong>Only read</strong>
                  It can change nothing.
                </span>
              </ScopeOption>
            </fieldset>
            <p className={css.destination}>
              The permission goes to <strong>{request.destination}</strong>
            </p>
            <Submit busy={state === 'busy'}>{state === 'busy' ? 'Connecting…' : 'Allow'}</Submit>
          </>
        ) : (
          <p className={entry.refusal} role="alert">
            <IconAlertCircle size={16} stroke={1.75} />
            You are not a member of a project yet. Ask an admin for an invite link first.
          </p>
        )}
        {fault && (
          <p className={css.fault} role="alert">
            {fault}
          </p>
        )}
        <button type="button" className={css.deny} onClick={() => leave(request.denied_url, 'denied')}>
          Deny
        </button>
      </form>
    </Entry>
  )
}

function ProjectField(props: { projects: Project[]; project: Project; onPick(id: string): void }) {
  const { projects, project, onPick } = props
  return (
    <div className={css.field}>
      <span className={css.label}>In the project</span>
      {projects.length === 1 ? (
        <strong className={css.only}>{project.name}</strong>
      ) : (
        <Select
          label="In the project"
          className={css.select}
          value={project.id}
          options={projects.map(({ id, name }) => ({ value: id, label: name }))}
          onPick={onPick}
        />
      )}
    </div>
  )
}

interface ScopeProps {
  scope: Scope
  chosen: Scope
  onPick(scope: Scope): void
  isOff?: boolean
  children: React.ReactNode
}

function ScopeOption({ scope, chosen, onPick, isOff, children }: ScopeProps) {
  return (
    <label className={css.scope} data-checked={chosen === scope || undefined} data-off={isOff || undefined}>
      <input
        type="radio"
        name="scope"
        className="sr-only"
        checked={chosen === scope}
        disabled={isOff}
        onChange={() => onPick(scope)}
      />
      {children}
    </label>
  )
}

const Advice = () => (
  <div className={entry.first}>
    <IconShieldLock size={17} stroke={1.75} className={entry.firstIcon} />
    <div className={entry.firstText}>
      <strong>Allow this only if you have just started it yourself.</strong>
      <p>You can end it at any time in your account settings.</p>
    </div>
  </div>
)

/** Stays when an app opens beside the browser. */
function Done({ name, isAllowed }: { name: string; isAllowed: boolean }) {
  return (
    <Entry>
      <Logo />
      <h1 className={entry.title}>{isAllowed ? `${name} is connected` : 'Nothing was connected'}</h1>
      <p className={css.done} role="status">
        {isAllowed && <IconCircleCheck size={17} stroke={1.75} />}
        Go back to {name}. You can close this page.
      </p>
    </Entry>
  )
}
