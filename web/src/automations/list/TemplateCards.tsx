import { Link } from '@tanstack/react-router'
import { IconArrowRight, IconCheck } from '../../ui/icons.ts'
import type { AutomationRow } from '../api.ts'
import { switchAutomation } from '../edits.ts'
import { TriggerIcon } from '../TriggerIcon.tsx'
import { TEMPLATES } from '../templates.ts'
import css from './Templates.module.css'

/** Automations that work as they are. Using one opens the editor filled in. */
export function TemplateCards({ projectId, rows }: { projectId: string; rows: AutomationRow[] }) {
  const triage = rows.find(({ is_built_in }) => is_built_in)
  return (
    <section className={css.templates} aria-labelledby="templates">
      <header>
        <h2 id="templates">Start from a template</h2>
        <Link to="/p/$projectId/automations/new" params={{ projectId }} className={css.link}>
          Write your own <IconArrowRight size={15} stroke={1.75} />
        </Link>
      </header>
      <ul>
        {triage && (
          <li>
            <h3>
              <TriggerIcon type="feedback_submitted" size={17} /> Sort feedback
            </h3>
            <p>Puts each report into a theme. Needs no model.</p>
            <footer>
              <span>Feedback submitted</span>
              {triage.enabled ? (
                <span className={css.isOn}>
                  <IconCheck size={14} stroke={2} /> On
                </span>
              ) : (
                triage.may.edit && (
                  <button
                    type="button"
                    className={css.link}
                    aria-label="Switch on Sort feedback"
                    onClick={() => void switchAutomation(projectId, { row: triage, enabled: true })}
                  >
                    Switch on
                  </button>
                )
              )}
            </footer>
          </li>
        )}
        {TEMPLATES.map(({ id, name, about, trigger, when }) => (
          <li key={id}>
            <h3>
              <TriggerIcon type={trigger} size={17} /> {name}
            </h3>
            <p>{about}</p>
            <footer>
              <span>{when}</span>
              <Link
                to="/p/$projectId/automations/new"
                params={{ projectId }}
                search={{ template: id }}
                className={css.link}
                aria-label={`Use ${name}`}
              >
                Use
              </Link>
            </footer>
          </li>
        ))}
      </ul>
    </section>
  )
}
