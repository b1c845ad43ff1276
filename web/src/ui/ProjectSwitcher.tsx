import * as api from '@slipway/sdk/resources'
import { useNavigate, useRouteContext } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { callOf } from '../lib/client.ts'
import { defineWrite } from '../lib/outbox/index.ts'
import { untilSaved } from '../lib/outbox/until-saved.ts'
import { readSessionAgain } from '../lib/session.ts'
import { Pick } from './Pick.tsx'
import { PopUp } from './PopUp.tsx'
import css from './ProjectSwitcher.module.css'

const openProject = defineWrite<{ name: string }, { id: string }>({
  name: 'project.open',
  waits: false,
  about: () => ({ subjects: [] }),
  send: async (body, { projectId, key }) =>
    (await api.projects(callOf(projectId)).open(body, { idempotencyKey: key })).data,
})

export function ProjectMark({ name }: { name: string }) {
  return <span className={css.mark}>{name.trim().charAt(0).toUpperCase()}</span>
}

export function ProjectSwitcher({ target }: { target: (props: { open: boolean; toggle(): void }) => ReactElement }) {
  const { session, project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const navigate = useNavigate()
  const open = (projectId: string) => navigate({ to: '/p/$projectId', params: { projectId } })
  const create = (name: string) =>
    untilSaved(openProject(project.id, { name }), `The project "${name}" was not created`, async ({ id }) => {
      await readSessionAgain()
      await open(id)
    })
  return (
    <PopUp target={target}>
      {(close) => (
        <Pick
          placeholder="Find a project…"
          selected={[project.id]}
          options={session.projects.map(({ id, name }) => ({
            value: id,
            label: name,
            icon: <ProjectMark name={name} />,
          }))}
          onPick={(projectId) => {
            close()
            void open(projectId)
          }}
          create={
            project.role === 'admin'
              ? {
                  kind: 'project',
                  invite: 'New project…',
                  run: (name) => {
                    close()
                    void create(name)
                  },
                }
              : undefined
          }
        />
      )}
    </PopUp>
  )
}
