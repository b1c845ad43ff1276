import type { Ctx } from '../../kernel/context.ts'
import type { Db, Tx } from '../../kernel/database/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { uploadSettings } from '../settings.ts'

/** Refuses an upload before its body is read if there is certainly no room for it. */
export async function refuseWithoutAllowance({ db, actor, wiring }: Ctx): Promise<void> {
  const [row] = await db<{ storedBytes: number; hourBytes: number; secondsLeft: number }[]>`
    select
      coalesce((select stored_bytes from feedback_storage where project_id = ${actor.projectId}), 0)::float8
        as "storedBytes",
      coalesce(h.uploaded_bytes, 0)::float8 as "hourBytes",
      coalesce(extract(epoch from h.started_at + interval '1 hour' - clock_timestamp()), 0)::float8 as "secondsLeft"
    from (select 1) one left join feedback_upload_hours h on h.project_id = ${actor.projectId}
      and h.key_id = ${actor.keyId} and h.started_at > clock_timestamp() - interval '1 hour'`
  const { storedBytes, bytesPerHour } = wiring.settings.of(uploadSettings)
  if (storedBytes > 0 && row!.storedBytes >= storedBytes) throw quotaReached(storedBytes)
  if (bytesPerHour > 0 && row!.hourBytes >= bytesPerHour) throw hourUsedUp(bytesPerHour, row!.secondsLeft)
}

/** Charges an upload to the project and to the key. If it is refused, the transaction rolls the charge back. */
export async function chargeUpload({ db, actor, wiring }: Ctx & { db: Tx }, bytes: number): Promise<void> {
  const { storedBytes, bytesPerHour } = wiring.settings.of(uploadSettings)
  const [project] = await db<{ storedBytes: number }[]>`
    insert into feedback_storage as s (project_id, stored_bytes) values (${actor.projectId}, ${bytes})
    on conflict (project_id) do update set stored_bytes = s.stored_bytes + excluded.stored_bytes
    returning stored_bytes::float8 as "storedBytes"`
  if (storedBytes > 0 && project!.storedBytes > storedBytes) throw quotaReached(storedBytes)
  const [hour] = await db<{ uploadedBytes: number; secondsLeft: number }[]>`
    insert into feedback_upload_hours as h (project_id, key_id, started_at, uploaded_bytes)
    values (${actor.projectId}, ${actor.keyId}, clock_timestamp(), ${bytes})
    on conflict (project_id, key_id) do update set
      uploaded_bytes = excluded.uploaded_bytes
        + case when h.started_at > clock_timestamp() - interval '1 hour' then h.uploaded_bytes else 0 end,
      started_at = case when h.started_at > clock_timestamp() - interval '1 hour'
        then h.started_at else excluded.started_at end
    returning uploaded_bytes::float8 as "uploadedBytes",
      extract(epoch from started_at + interval '1 hour' - clock_timestamp())::float8 as "secondsLeft"`
  if (bytesPerHour > 0 && hour!.uploadedBytes > bytesPerHour) throw hourUsedUp(bytesPerHour, hour!.secondsLeft)
}

/** Returns the room of deleted uploads to their projects. */
export async function releaseUploads(db: Db, gone: { projectId: string; fileSize: number }[]): Promise<void> {
  await db`
    update feedback_storage s set stored_bytes = s.stored_bytes - g.bytes
    from (
      select project_id, sum(bytes) as bytes
      from unnest(${gone.map((one) => one.projectId)}::uuid[], ${gone.map((one) => one.fileSize)}::bigint[])
        as freed (project_id, bytes)
      group by project_id
    ) g
    where s.project_id = g.project_id`
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
