import { mailSettings } from '../../kernel/mail.ts'
import type { SliceSettings } from '../../kernel/settings.ts'
import { embeddingsSettings } from './triage/embeddings.ts'

/** How many bytes reporting keys may upload. 0 means no limit. */
export const uploadSettings: SliceSettings<{
  /** With one key, within an hour. */
  bytesPerHour: number
  /** In one project, as long as the files are kept. */
  storedBytes: number
}> = {
  read: (env) => ({
    bytesPerHour: env.whole('REPORTING_UPLOAD_BYTES_PER_HOUR', 1024 ** 3, 0, Number.MAX_SAFE_INTEGER),
    storedBytes: env.whole('REPORTING_STORAGE_BYTES', 10 * 1024 ** 3, 0, Number.MAX_SAFE_INTEGER),
  }),
}

/** All settings of the slice, so that an invalid one is found at the start. */
export const feedbackSettings: SliceSettings<unknown> = {
  read: (env) => [uploadSettings.read(env), embeddingsSettings.read(env), mailSettings.read(env)],
}
