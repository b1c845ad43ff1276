import type { SliceSettings } from '../../kernel/settings.ts'

/** What reading the file of an import or a preview may take. */
export const importSettings: SliceSettings<{
  /** For one file of an archive, or one group of rows. */
  seconds: number
  memoryMb: number
}> = {
  read: (env) => ({
    seconds: env.whole('IMPORT_SECONDS', 20, 1, 3_600),
    memoryMb: env.whole('IMPORT_MEMORY_MB', 256, 16, 65_536),
  }),
}
