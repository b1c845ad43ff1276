import { useRouteContext } from '@tanstack/react-router'
import { Timeline } from '../../activity/Timeline.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import css from './ActivityDialog.module.css'
import { describeChange } from './happenings.ts'

/** What was done with the document. What was said stands in its margin. */
export function ActivityDialog({ id, onClose }: { id: string; onClose(): void }) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  return (
    <Dialog label="Activity" width={560} top={72} onClose={onClose}>
      <div className={css.body}>
        <Timeline projectId={project.id} subjectId={id} describe={describeChange} />
      </div>
    </Dialog>
  )
}
