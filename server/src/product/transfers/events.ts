import { Type } from 'typebox'
import { defineEvents, event } from '../../kernel/event-kinds.ts'
import { OneOf } from '../../kernel/http/schema.ts'
import { KINDS } from './transfer.ts'

const Started = { kind: OneOf(KINDS), file_name: Type.String({ examples: ['checkout.zip'] }) }

export const transferEvents = defineEvents('project', {
  export_started: event(Started, 'began to export {it}'),
  import_started: event(Started, ({ file_name }) => `began to import “${file_name}”`),
  imported: event(
    {
      name: Type.String({ examples: ['Checkout'] }),
      counts: Type.Record(Type.String(), Type.Integer(), { description: 'Rows by table.' }),
    },
    ({ name }) => `imported {it} from “${name}”`,
  ),
})
