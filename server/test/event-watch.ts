import { Ajv } from 'ajv'
import type { Sql } from '../src/kernel/database/index.ts'
import type { EventRegister } from '../src/kernel/event-kinds.ts'
import { addFormats, closed } from './answer-watch.ts'

const MOST_OF_A_KIND = 200

/** Checks what is in the log against the register: statements put some events together without passing the types. */
export async function failOnUnregisteredEvents(sql: Sql, { kinds }: EventRegister): Promise<void> {
  const ajv = addFormats(new Ajv({ strict: false, allErrors: true, validateSchema: false }))
  const recorded = await sql<{ kind: string; subjectType: string; payload: unknown }[]>`
    select kind, subject_type as "subjectType", payload from (
      select *, row_number() over (partition by kind order by id desc) as place from events
    ) as e where place <= ${MOST_OF_A_KIND}`
  const validators = new Map([...kinds].map(([kind, { payload }]) => [kind, ajv.compile(closed(payload) as object)]))
  for (const { kind, subjectType, payload } of recorded) {
    const validate = validators.get(kind)
    if (!validate || kinds.get(kind)!.subjectType !== subjectType)
      throw new Error(`The log has "${kind}" about "${subjectType}", which no slice defines.`)
    if (!validate(payload))
      throw new Error(`"${kind}" is recorded with ${JSON.stringify(payload)}: ${ajv.errorsText(validate.errors)}`)
  }
}
