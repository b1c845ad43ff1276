import type { Meta, Options } from './operation.ts'
import type { ClientOptions } from './session.ts'
import { createTransport } from './transport.ts'

/** For applications that tell what their users say. A reporting key can submit and never read. */
export interface ReporterOptions extends ClientOptions {
  reportingKey: string
}

export interface ReportFile {
  file_key: string
  file_name: string
  file_size: number
  mime_type: string
}

export interface Report {
  end_user_email: string
  /** Markdown. Its first line becomes the title. */
  content: string
  /** What `upload` answered. */
  attachments?: ReportFile[] | undefined
}

/** The reporting API has no part in the description that the types of the other operations are made from. */
type Send = <Answer>(operation: string, input: object, options?: Options) => Promise<Answer & { meta: Meta }>

export function createReporter({ reportingKey, headers, ...rest }: ReporterOptions) {
  const sent = { ...headers, 'x-api-key': reportingKey }
  const send = createTransport({ ...rest, prefix: '/v2/reporting-api', headers: sent }) as unknown as Send
  return {
    /** Report what a user says. */
    report: (body: Report, options?: Options) => send<{ feedback_number: number }>('POST /feedback', { body }, options),
    /** Upload a file for a report. */
    upload: (file: Blob, name: string, options?: Options) =>
      send<ReportFile>('POST /uploads', { form: { fields: {}, file, name, type: file.type } }, options),
  }
}

export type Reporter = ReturnType<typeof createReporter>
