import type { Ctx } from '../../../kernel/context.ts'
import { inTransaction } from '../../../kernel/database/index.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { uuidv7 } from '../../../kernel/uuid.ts'
import { codeEvents } from '../events.ts'
import { authorizeWrite } from '../policy.ts'

export interface CodePush {
  repository: string
  ref: string
  commitId: string
  pushedBy: string | null
  commits: { id: string; message: string; author: string | null; paths?: string[] }[]
}

/** The event log is the only record of a push, because repositories live elsewhere. */
export function recordCodePush(ctx: Ctx, push: CodePush): Promise<{ id: string }> {
  return inTransaction(ctx, async (ctx) => {
    authorizeWrite(ctx.actor)
    const id = uuidv7()
    const { repository, ref, commitId, pushedBy, commits } = push
    const payload = { repository, ref, commit_id: commitId, pushed_by: pushedBy, commits }
    await recordEvent(ctx, codeEvents.pushed(id, payload))
    return { id }
  })
}
