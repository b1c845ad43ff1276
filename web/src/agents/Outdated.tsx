import type { AutomationRunPageWrite } from '@slipway/sdk'
import { fieldName, fieldsOf } from './describe-write.ts'
import css from './Outdated.module.css'
import { TextChange } from './TextChange.tsx'

interface Props {
  write: Pick<AutomationRunPageWrite, 'before' | 'after' | 'changed_since'>
  /** What the values were then. */
  began?: string
}

/** What a proposal started from, what it wants and what is there now. */
export function Outdated({ write, began = 'When it ran' }: Props) {
  const since = write.changed_since!
  const wanted = fieldsOf(write)
  const now = fieldsOf({ before: write.before, after: since.now })
  const by = since.by ?? 'somebody'
  return (
    <>
      {wanted.map(({ key, before, after, isText }) => {
        const current = now.find((one) => one.key === key)?.after ?? 'none'
        return isText ? (
          <details key={key} className={css.compare}>
            <summary>Compare {fieldName(key).toLowerCase()}</summary>
            <h4>Proposed</h4>
            <TextChange before={before} after={after} />
            <h4>Changed by {by} since</h4>
            <TextChange before={before} after={current} />
          </details>
        ) : (
          <dl key={key} className={css.three}>
            <div>
              <dt>{began}</dt>
              <dd>{before}</dd>
            </div>
            <div>
              <dt>Proposed</dt>
              <dd>{after}</dd>
            </div>
            <div className={css.now}>
              <dt>Now, by {by}</dt>
              <dd>{current}</dd>
            </div>
          </dl>
        )
      })}
      <p className={css.gone}>{inSentence(by)} changed the same value since, so it cannot be accepted.</p>
    </>
  )
}

const inSentence = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)
