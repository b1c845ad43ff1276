import * as op from '../generated/operations/project.ts'
import type { Body, Call, Options, Query, Schemas } from '../operation.ts'

export type ProjectContents = Schemas['ProjectContents']

export const projects = (call: Call) => ({
  /** Open another project beside the one of the client, with you as its only member. */
  open: (body: Body<'openProject'>, options?: Options) => call(op.openProject, { body }, options),
  /** Rename the project of the client. */
  rename: (body: Body<'renameProject'>, options?: Options) => call(op.renameProject, { body }, options),
  /** Count what `delete` would delete. */
  getContents: (options?: Options) => call(op.getProjectContents, {}, options),
  /** Delete the project of the client, with everything in it. Its name confirms. */
  delete: (query: Query<'deleteProject'>, options?: Options) => call(op.deleteProject, { query }, options),
})
