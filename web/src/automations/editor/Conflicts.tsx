import { TextChange } from '../../agents/TextChange.tsx'
import { Button } from '../../ui/Button.tsx'
import css from './Conflicts.module.css'
import type { Draft, Values } from './draft.ts'

const NAMES: Record<keyof Values, string> = {
  name: 'the name',
  user_prompt: 'the instructions',
  triggers: 'when it runs',
  tool_kit: 'the tools',
  integration_grants: 'the integrations',
  model: 'the model',
  concurrency: 'what happens while a run goes on',
  approval: 'the approval',
  budget: 'the budget',
}

interface Props {
  stored: Values
  draft: Draft
  fields: (keyof Values)[]
  onDecide(next: Draft): void
}

/** What somebody else saved while this person changed the same. Neither is replaced before this person decides. */
export function Conflicts({ stored, draft, fields, onDecide }: Props) {
  const { base, values } = draft
  return fields.map((field) => {
    const theirs = { [field]: stored[field] }
    const text = stored[field]
    const mine = values[field]
    return (
      <section
        key={field}
        className={css.conflict}
        aria-label={`Changed by somebody else: ${NAMES[field]}`}
        role="alert"
      >
        <div>
          <p>
            Somebody else has changed {NAMES[field]} since you began
            {typeof text === 'string' ? '. From theirs to yours:' : ', and so did you.'}
          </p>
          <Button onClick={() => onDecide({ base: { ...base, ...theirs }, values: { ...values, ...theirs } })}>
            Take theirs
          </Button>
          <Button onClick={() => onDecide({ base: { ...base, ...theirs }, values })}>Keep mine</Button>
        </div>
        {typeof text === 'string' && typeof mine === 'string' && <TextChange before={text} after={mine} />}
      </section>
    )
  })
}
