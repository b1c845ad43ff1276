import { type ReactNode, useRef } from 'react'
import { cx } from '../../lib/cx.ts'
import { Field } from '../../ui/fields.tsx'
import { Kbd } from '../../ui/Kbd.tsx'
import { MentionField } from '../../ui/MentionField.tsx'
import { DOMAINS, kitOf, RIGHTS } from '../words.ts'
import css from './Editor.module.css'
import { Grants } from './Grants.tsx'
import { Limits } from './Limits.tsx'
import type { StepProps } from './step-props.ts'
import { ToolMatrix } from './ToolMatrix.tsx'
import { When } from './When.tsx'

/** What a person sets, in five steps. */
export function Steps(props: StepProps) {
  const { values, fault, isFixed, onChange } = props
  const field = useRef<HTMLTextAreaElement>(null)
  const kit = kitOf(values.tool_kit.permission_overrides)
  const allowed = DOMAINS.reduce((sum, domain) => sum + RIGHTS.filter((right) => kit[domain][right]).length, 0)
  const faultOf = (pointer: string) => (fault?.pointer.startsWith(pointer) ? fault.detail : undefined)
  return (
    <fieldset className={css.steps} disabled={isFixed}>
      <legend className="sr-only">The automation</legend>
      <Field
        label="Name"
        value={values.name}
        maxLength={200}
        placeholder="Blueprint drift watch"
        fault={faultOf('/name')}
        onChange={(name) => onChange({ name })}
      />
      <Step number={1} title="When" note="any of these starts a run, and so can you">
        <When {...props} />
      </Step>
      <Step
        number={2}
        title="Instructions"
        note={
          <>
            type <Kbd keys="@" /> to name a document
          </>
        }
      >
        <div className={css.prompt}>
          <MentionField
            field={field}
            value={values.user_prompt}
            rows={5}
            maxLength={100_000}
            aria-label="Instructions"
            placeholder="What the agent should do, and when it should change nothing."
            onChange={(user_prompt) => onChange({ user_prompt })}
          />
          {faultOf('/user_prompt') && <p className={css.fault}>{faultOf('/user_prompt')}</p>}
        </div>
      </Step>
      <div className={css.two}>
        <Step
          number={3}
          title="Tools"
          note={`${allowed} of ${DOMAINS.length * RIGHTS.length} allowed, never more than you may do`}
        >
          <ToolMatrix kit={kit} onChange={(permission_overrides) => onChange({ tool_kit: { permission_overrides } })} />
        </Step>
        <div>
          <Step number={4} title="Integrations">
            <Grants {...props} />
          </Step>
          <Step number={5} title="Model and limits">
            <Limits {...props} />
          </Step>
        </div>
      </div>
    </fieldset>
  )
}

interface Props {
  number: number
  title: string
  note?: ReactNode
  children: ReactNode
}

const Step = ({ number, title, note, children }: Props) => (
  <section className={css.step} aria-label={title}>
    <h2>
      <span className={cx(css.number)} aria-hidden="true">
        {number}
      </span>
      {title}
      {note && <small>{note}</small>}
    </h2>
    {children}
  </section>
)
