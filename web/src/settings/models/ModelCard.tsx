import { useState } from 'react'
import { cx } from '../../lib/cx.ts'
import { reasonOf } from '../../lib/outbox/write.ts'
import { Button } from '../../ui/Button.tsx'
import type { ProjectModel } from './api.ts'
import { EndpointDialog } from './EndpointDialog.tsx'
import { setModel, shownOf, testModel } from './edits.ts'
import css from './Models.module.css'

interface Props {
  projectId: string
  model: ProjectModel
  isAdmin: boolean
}

/** Which model the agents of the project use. */
export function ModelCard({ projectId, model, isAdmin }: Props) {
  const [isEditing, setEditing] = useState(false)
  const [said, setSaid] = useState<{ text: string; isFault: boolean }>()
  const [busy, setBusy] = useState(false)
  const choose = async (source: 'operator' | 'none') => {
    setSaid(undefined)
    const outcome = await setModel(projectId, { source, expected: shownOf(model) })
    if (outcome.state === 'failed') setSaid({ text: reasonOf(outcome.fault), isFault: true })
  }
  const test = async () => {
    setBusy(true)
    setSaid(undefined)
    const outcome = await testModel(projectId, {})
    setBusy(false)
    if (outcome.state === 'failed') setSaid({ text: reasonOf(outcome.fault), isFault: true })
    if (outcome.state === 'saved')
      setSaid({ text: `${outcome.answer.model} answers, in ${outcome.answer.took_ms} ms.`, isFault: false })
  }
  const line = (source: ProjectModel['source'], title: string, text: string, onChoose: () => void) => (
    <label className={cx(css.choice, model.source === source && css.chosen)}>
      <input type="radio" name="model" checked={model.source === source} disabled={!isAdmin} onChange={onChoose} />
      <span>
        <strong>{title}</strong>
        <span className={css.note}>{text}</span>
      </span>
    </label>
  )
  const operators = model.operators_model ? `now ${model.operators_model}` : 'the operator has set none'
  const own = model.source === 'own' ? `${model.model} at ${model.base_url}` : 'any server with the OpenAI protocol'
  return (
    <section className={css.card} aria-labelledby="model">
      <h2 id="model" className={css.heading}>
        Model of the project
      </h2>
      <div className={css.choices}>
        {line('operator', 'Recommended', operators, () => void choose('operator'))}
        {line('own', 'Your own endpoint', own, () => setEditing(true))}
        {line('none', 'None', 'feedback is sorted without a model; agents rest', () => void choose('none'))}
      </div>
      {isAdmin ? (
        <div className={css.buttons}>
          {model.source !== 'none' && (
            <Button busy={busy} onClick={() => void test()}>
              Test
            </Button>
          )}
          {model.source === 'own' && <Button onClick={() => setEditing(true)}>Change the endpoint…</Button>}
        </div>
      ) : (
        <p className={css.note}>Admins of the project choose its model.</p>
      )}
      {said && (
        <p className={cx(css.said, said.isFault && css.fault)} role="status">
          {said.text}
        </p>
      )}
      {isEditing && <EndpointDialog projectId={projectId} model={model} onClose={() => setEditing(false)} />}
    </section>
  )
}
