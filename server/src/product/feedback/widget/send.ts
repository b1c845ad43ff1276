interface Reported {
  end_user_email: string
  content: string
  attachments: Attached[]
}

interface Attached {
  file_key: string
  file_name: string
  file_size: number
  mime_type: string
}

/** A refusal in words for the user. */
export class Refused extends Error {}

/** Sends to the server that the script came from. A retry does not repeat what was already uploaded or sent. */
export function createSender(base: string, key: string) {
  const uploaded = new WeakMap<File, Attached>()
  let lastBody = ''
  let lastId = ''

  async function post<T>(path: string, body: BodyInit, headers: Record<string, string> = {}): Promise<T> {
    const answer = await fetch(`${base}/v2/reporting-api/${path}`, {
      method: 'POST',
      headers: { 'X-API-Key': key, ...headers },
      body,
      credentials: 'omit',
    }).catch(() => {
      throw new Refused('It could not be sent. Check your connection and try again; nothing you wrote is lost.')
    })
    const said = await answer.json().catch(() => ({}))
    if (answer.ok) return said
    const wait = answer.headers.get('Retry-After')
    if (answer.status === 429) throw new Refused(`Too much was sent at once. Try again in ${wait ?? 60} seconds.`)
    throw new Refused(answer.status < 500 && said.detail ? said.detail : 'It could not be sent. Try again shortly.')
  }

  async function upload(file: File): Promise<Attached> {
    const form = new FormData()
    form.append('file', file, file.name)
    const attached = uploaded.get(file) ?? (await post<Attached>('uploads', form))
    uploaded.set(file, attached)
    return attached
  }

  return async (email: string, content: string, files: File[]): Promise<number> => {
    const report: Reported = { end_user_email: email, content, attachments: [] }
    for (const file of files) report.attachments.push(await upload(file))
    const body = JSON.stringify(report)
    // A report keeps its id, so that retrying after a lost answer does not create a second one.
    if (body !== lastBody)
      lastId = Array.from(crypto.getRandomValues(new Uint32Array(4)), (n) => n.toString(36)).join('-')
    lastBody = body
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': lastId }
    const { feedback_number } = await post<{ feedback_number: number }>('feedback', body, headers)
    return feedback_number
  }
}
