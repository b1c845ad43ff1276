import { useRouteContext } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { IconAlertCircle } from '../ui/icons.ts'
import css from './DangerZone.module.css'

const DeleteProject = lazy(() => import('./DeleteProject.tsx'))

/** What cannot be undone. */
export function DangerZone() {
  const { project, session } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const [open, setOpen] = useState(false)
  if (project.role !== 'admin') return null
  return (
    <section className={css.zone} aria-labelledby="danger-zone">
      <IconAlertCircle size={18} stroke={1.75} className={css.sign} />
      <div className={css.grow}>
        <h2 id="danger-zone" className={css.title}>
          Danger zone
        </h2>
        <p className={css.text}>
          Delete {project.name} with everything in it.
          <br />
          Admins only; asks for its name.
        </p>
      </div>
      <Button className={css.open} onClick={() => setOpen(true)}>
        Open
      </Button>
      {open && (
        <Suspense>
          <DeleteProject project={project} isOnly={session.projects.length === 1} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </section>
  )
}
