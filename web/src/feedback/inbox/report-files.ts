import * as api from '@slipway/sdk/resources'
import { callOf } from '../../lib/client.ts'
import type { Storing } from '../../lib/uploads/store-file.ts'

/** Stores a file of a report that is added by hand. Its id is the key that the report names. */
export const storeReportFile =
  (projectId: string) =>
  async ({ file, name, key, signal, onProgress }: Omit<Storing, 'folder'>) => {
    const named = file.name === name ? file : new File([file], name, { type: file.type })
    const stored = await api.feedback(callOf(projectId)).uploadFile(named, {
      idempotencyKey: key,
      signal,
      onProgress: ({ sentBytes }) => onProgress?.(file.size > 0 ? sentBytes / file.size : 1),
    })
    return { id: stored.file_key, name: stored.file_name }
  }
