import type { Answer, Client, Member, Workspace } from '../../../test/harness.ts'

export const NEVER = '019a84d2-7c5e-7b31-9a60-2f4f5f6f7a81'
export const REPORT = '/v2/reporting-api/feedback'

/** A project with an admin and an application that reports to it. */
export async function feedbackProject(ws: Workspace) {
  const project = await ws.project()
  const reporter = await project.join('editor', 'reporting')
  return { project, admin: project.admin, api: project.admin.api, reporter }
}

export const report = (reporter: Member, content = 'The total is off by a cent.', more: object = {}): Promise<Answer> =>
  reporter.api.post(REPORT, { end_user_email: 'customer@example.org', content, ...more })

/** Submits a report and returns the item that it becomes. */
export async function submitItem(api: Client, reporter: Member, content?: string, more?: object) {
  const { status, body } = await report(reporter, content, more)
  if (status !== 201) throw new Error(`The report was answered ${status}: ${JSON.stringify(body)}`)
  const { items } = (await api.get('/feedback/items?page_size=100')).body
  return items.find((one: { display_id: string }) => one.display_id === `FB-${body.feedback_number}`)
}

export const themeValues = (more: object = {}) => ({
  title: 'Totals are off by a cent',
  type: 'bug',
  priority: 'high',
  description: 'Rounding happens once for each line.',
  ...more,
})

export async function makeTheme(api: Client, more: object = {}) {
  const { status, body } = await api.post('/feedback/themes', themeValues(more))
  if (status !== 201) throw new Error(`The theme was answered ${status}: ${JSON.stringify(body)}`)
  return body.data
}

export const link = (api: Client, themeId: string, itemId: string, more: object = {}) =>
  api.post(`/feedback/themes/${themeId}/feedback_links`, { feedback_item_id: itemId, ...more })

export const themeOf = async (api: Client, id: string) => (await api.get(`/feedback/themes/${id}`)).body.data
export const itemOf = async (api: Client, id: string) => (await api.get(`/feedback/items/${id}`)).body.data

export async function makeFeature(api: Client, title = 'Checkout', document_type = 'FEATURE') {
  const { body } = await api.post('/requirements', { title, document_type })
  return body.data.id as string
}
