import { useNavigate, useRouteContext } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { Pick } from '../ui/Pick.tsx'
import { PopUp } from '../ui/PopUp.tsx'
import css from './Sidebar.module.css'

export function ProjectMark({ name }: { name: string }) {
  return <span className={css.mark}>{name.trim().charAt(0).toUpperCase()}</span>
}

export function ProjectSwitcher({ target }: { target: (props: { open: boolean; toggle(): void }) => ReactElement }) {
  const { session, project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const navigate = useNavigate()
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
            void navigate({ to: '/p/$projectId/work-orders', params: { projectId } })
          }}
        />
      )}
    </PopUp>
  )
}
