import type { Ctx, Log } from '../../kernel/context.ts'
import type { Db } from '../../kernel/database/index.ts'
import type { Wiring } from '../../kernel/slice.ts'
import type { Store } from '../../kernel/storage/index.ts'
import { uuidv7 } from '../../kernel/uuid.ts'
import type { Project } from './project.ts'

const refuse = () => {
  throw new Error('What the operator does has no files.')
}
const NO_STORE: Store = {
  bucket: '',
  installationId: '',
  writeBufferBytes: 0,
  write: refuse,
  read: refuse,
  stat: refuse,
  remove: refuse,
  list: refuse,
  removeUnfinished: refuse,
}

/** What `operatorCtx` needs. */
export interface Acting<D extends Db> {
  db: D
  wiring: Wiring
  log: Log
}

/** The operator, or Slipway itself, acts on a project without being a member. */
export function operatorCtx<D extends Db>({ db, wiring, log }: Acting<D>, project: Project): Ctx & { db: D } {
  return {
    db,
    wiring,
    log,
    store: NO_STORE,
    requestId: uuidv7(),
    baseUrl: '',
    ifMatch: undefined,
    actor: {
      origin: 'system',
      organizationId: project.organizationId,
      projectId: project.id,
      userId: null,
      userName: 'Slipway',
      userEmail: '',
      projectRole: 'admin',
      organizationRole: 'super_admin',
      keyId: null,
    },
  }
}
