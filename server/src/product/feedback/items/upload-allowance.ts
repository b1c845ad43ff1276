import type { Ctx, TxCtx } from '../../../kernel/context.ts'
import { AppError } from '../../../kernel/errors.ts'
import { uploadSettings } from '../settings.ts'
import * as queries from './upload-queries.ts'

/** Refuses an upload before its body is read if there is certainly no room for it. */
export async function refuseWithoutAllowance({ db, actor, wiring }: Ctx): Promise<void> {
  const used = await queries.readUsage(db, actor.projectId, actor.keyId)
  const { storedBytes, bytesPerHour } = wiring.settings.of(uploadSettings)
  if (storedBytes > 0 && used.storedBytes >= storedBytes) throw quotaReached(storedBytes)
  if (bytesPerHour > 0 && used.hourBytes >= bytesPerHour) throw hourUsedUp(bytesPerHour, used.secondsLeft)
}

/** Charges an upload to the project and to the key. If it is refused, the transaction rolls the charge back. */
export async function chargeUpload({ db, actor, wiring }: TxCtx, bytes: number): Promise<void> {
  const { storedBytes, bytesPerHour } = wiring.settings.of(uploadSettings)
  const stored = await queries.addStoredBytes(db, actor.projectId, bytes)
  if (storedBytes > 0 && stored > storedBytes) throw quotaReached(storedBytes)
  const { hourBytes, secondsLeft } = await queries.addHourBytes(db, actor.projectId, actor.keyId, bytes)
  if (bytesPerHour > 0 && hourBytes > bytesPerHour) throw hourUsedUp(bytesPerHour, secondsLeft)
}

const quotaReached = (limit: number) =>
  new AppError(
    507,
    'quota_reached',
    `The files of this project's reports may take up ${limit} bytes, and they do. Send the report without this file, and tell the operator.`,
  )

function hourUsedUp(limit: number, secondsLeft: number): AppError {
  const seconds = Math.max(1, Math.ceil(secondsLeft))
  return new AppError(
    429,
    'rate_limited',
    `This key may upload ${limit} bytes an hour, and has. Wait ${seconds} s, or send the report without this file.`,
    { headers: { 'retry-after': String(seconds) } },
  )
}
