import { useNavigate, useRouteContext } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { clientOf } from '../lib/client.ts'
import { readSessionAgain } from '../lib/session.ts'
import { showToast } from '../lib/toasts.ts'
import { Pick } from './Pick.tsx'
import { PopUp } from './PopUp.tsx'
import css from './ProjectSwitcher.module.css'

export function ProjectMark({ name }: { name: string }) {
  return <span className={css.mark}>{name.trim().charAt(0).toUpperCase()}</span>
}

export function ProjectSwitcher({ target }: { target: (props: { open: boolean; toggle(): void }) => ReactElement }) {
  const { session, project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const navigate = useNavigate()
  const open = (projectId: string) => navigate({ to: '/p/$projectId', params: { projectId } })
  const create = async (name: string) => {
    try {
      const { data } = await clientOf(project.id).projects.open({ name })
      await readSessionAgain()
      await open(data.id)
    } catch (err) {
      showToast({
        text: `The project "${name}" was not created`,
        detail: (err as Error).message,
        tone: 'error',
        action: { label: 'Retry', run: () => void create(name) },
      })
    }
  }
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
