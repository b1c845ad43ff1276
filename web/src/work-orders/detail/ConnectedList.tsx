import { useState } from 'react'
import { Markdown } from '../../lib/markdown.tsx'
import {
  IconChecklist,
  IconChevronDown,
  IconChevronRight,
  IconFileText,
  IconFolders,
  IconMessage2,
  IconTopologyStar3,
} from '../../ui/icons.ts'
import type { Connected, WorkOrder } from '../work-order.ts'
import css from './Section.module.css'

const KINDS: Record<Connected['resourceType'], [string, typeof IconFileText]> = {
  requirements_document: ['Requirement', IconFileText],
  blueprint: ['Blueprint', IconTopologyStar3],
  work_order: ['Work order', IconChecklist],
  theme: ['Theme', IconMessage2],
  feedback_item: ['Feedback', IconMessage2],
  artifact: ['Knowledge base', IconFolders],
}

/** What the work order serves, with its text in place. */
export function ConnectedList({ workOrder }: { workOrder: WorkOrder }) {
  const all = workOrder.connectedContext
  const [open, setOpen] = useState<ReadonlySet<string>>(
    () => new Set(all.slice(0, 1).map(({ resourceId }) => resourceId)),
  )
  if (all.length === 0) return null
  const toggle = (id: string) =>
    setOpen((old) => (old.has(id) ? new Set([...old].filter((one) => one !== id)) : new Set(old).add(id)))
  return (
    <section aria-label="Connected">
      <h2 className={css.head}>
        Connected <span className={css.badge}>{all.length}</span>
      </h2>
      <div className={css.card}>
        {all.map(({ resourceType, resourceId, title, markdown_content }) => {
          const [kind, Sign] = KINDS[resourceType]
          const isOpen = open.has(resourceId) && Boolean(markdown_content)
          return [
            <button
              key={resourceId}
              type="button"
              className={css.link}
              aria-expanded={isOpen}
              onClick={() => toggle(resourceId)}
            >
              {isOpen ? <IconChevronDown size={14} stroke={1.75} /> : <IconChevronRight size={14} stroke={1.75} />}
              <Sign size={16} stroke={1.75} />
              <strong>{title ?? kind}</strong>
              <span className={css.kind}>{kind}</span>
            </button>,
            isOpen && (
              <div key={`${resourceId} text`} className={css.quote}>
                <Markdown text={markdown_content!} />
              </div>
            ),
          ]
        })}
      </div>
    </section>
  )
}
