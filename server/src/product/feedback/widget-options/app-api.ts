import { Type } from 'typebox'
import { operation } from '../../../kernel/http/operation.ts'
import type { Face } from '../../../kernel/http/request.ts'
import { Data, FilledText, Nullable, named, OneOf } from '../../../kernel/http/schema.ts'
import { setWidgetOptions } from './actions.ts'
import { findWidgetOptions } from './queries.ts'
import { POSITIONS, WIDGET_THEMES } from './widget-options.ts'

const fields = {
  label: FilledText(40, { description: 'The text on the button.', examples: ['Feedback'] }),
  position: OneOf(POSITIONS),
  accent: Nullable(Type.String({ pattern: '^#[0-9a-fA-F]{6}$', examples: ['#0b6b7d'] }), {
    description: 'The color of the buttons. Null for the color of Slipway.',
  }),
  theme: OneOf(WIDGET_THEMES, { description: '`auto` follows the reader.' }),
  screenshots: Type.Boolean({ description: 'People can attach pictures.', examples: [true] }),
}
const Options = named('WidgetOptions', Type.Object(fields))

/** How `/widget.js?project=…` looks. */
export function registerWidgetOptionRoutes(face: Face) {
  face.get(
    '/feedback/widget',
    operation({
      id: 'getWidgetOptions',
      summary: 'Read how the widget of the project looks',
      tags: ['Feedback'],
      answer: Data(Options),
    }),
    async (req) => ({ data: await findWidgetOptions(req.ctx.db, req.ctx.actor.projectId) }),
  )

  face.patch(
    '/feedback/widget',
    operation({
      id: 'setWidgetOptions',
      summary: 'Change how the widget of the project looks',
      description: 'Pages show it within an hour.',
      tags: ['Feedback'],
      body: Type.Partial(Type.Object(fields)),
      answer: Data(Options),
    }),
    async (req) => ({ data: await setWidgetOptions(req.ctx, req.body) }),
  )
}
