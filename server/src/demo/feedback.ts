import type { Ctx } from '../kernel/context.ts'
import {
  assignTheme,
  changeTheme,
  createTheme,
  keepUpload,
  linkItem,
  linkWorkOrder,
  listItems,
  setFeature,
  setFeedbackItemStatus,
  submitFeedback,
  type Theme,
  type ThemeValues,
  UPLOADS,
} from '../product/feedback/index.ts'
import { contentTypeOf, storeFile } from './artifacts.ts'
import { type Entry, entriesOf, listOf } from './content.ts'
import { type Item, numberItems } from './feedback-items.ts'
import { storyTime } from './story-time.ts'
import { FAILED, planTriage } from './triage.ts'
import type { World } from './world.ts'

const MINUTE_MS = 60_000
/** From here on Feedback triage sorts what comes in; before, people did. */
const FIRST_SORTED = 109
const SORTERS = ['Grace', 'Katherine', 'Ada', 'Grace', 'Radia']

export function planFeedback(world: World): void {
  const entries = entriesOf('themes.md')
  const themeTimes = new Map<number, number>()
  for (const entry of entries) {
    const number = /^\d+/.exec(entry.name)?.[0]
    if (number === undefined) continue
    themeTimes.set(Number(number), storyTime(entry.fields.at!))
    planTheme(world, Number(number), entry)
  }
  for (const item of numberItems(entries)) planItem(world, item, themeTimes)
}

function planTheme({ story, cast, ids }: World, number: number, { name, fields, text }: Entry): void {
  const [description = '', ...more] = text.split('\n\n')
  const status = (fields.status ?? 'unresolved') as Theme['status']
  const { feature } = fields
  story.plan(fields.at!, async () => {
    const ctx = await cast.as(fields.by ?? 'Grace')
    const values: ThemeValues = {
      title: name.replace(/^\d+ /, ''),
      description: description.replaceAll('\n', ' '),
      markdownContent: more.length > 0 ? `${more.join('\n\n')}\n` : '',
      status: 'unresolved',
      type: fields.type as Theme['type'],
      priority: (fields.priority ?? 'low') as Theme['priority'],
    }
    const theme = await createTheme(ctx, values)
    if (theme.themeNumber !== number) throw new Error(`TH-${number} of the demo became TH-${theme.themeNumber}.`)
    ids.set(`theme ${number}`, theme.id)
    if (fields.assignee) await assignTheme(ctx, theme.id, { id: cast.user(fields.assignee).id })
  })
  if (feature)
    story.plan(fields['feature at'] ?? storyTime(fields.at!) + MINUTE_MS, async () => {
      const ctx = await cast.as(fields.by ?? 'Grace')
      await setFeature(ctx, ids.get(`theme ${number}`), ids.get(`requirement ${feature}`))
    })
  if (status !== 'unresolved')
    story.plan(fields['status at'] ?? 'Nov 13 14:20', async () => {
      await changeTheme(await cast.as(fields.assignee ?? fields.by ?? 'Grace'), ids.get(`theme ${number}`), { status })
    })
  for (const workOrder of listOf(fields['work orders']))
    story.plan(fields['linked at'] ?? 'Nov 15 12:05', async () => {
      const ctx = await cast.as(fields.assignee ?? 'Grace')
      await linkWorkOrder(ctx, ids.get(`theme ${number}`), ids.get(`work order ${workOrder}`))
    })
}

function planItem(world: World, item: Item, themeTimes: Map<number, number>): void {
  const { story, cast, ids } = world
  story.plan(item.at, async () => {
    const ctx = await cast.as(item.channel)
    const attachments = []
    for (const file of item.files) attachments.push(await upload(ctx, file))
    const report = { endUserEmail: item.email, content: item.content, attachments }
    const number = await submitFeedback(ctx, report)
    if (number !== item.number) throw new Error(`FB-${item.number} of the demo became FB-${number}.`)
    ids.set(`feedback ${number}`, await newestItem(ctx))
  })
  const isSorted = item.number >= FIRST_SORTED
  // What came before there was its theme was sorted into it later, by hand.
  const isEarly = (themeTimes.get(item.theme ?? 0) ?? 0) > item.at
  const byAutomation = isSorted && !isEarly && !FAILED[item.number] && item.number % 5 !== 0
  const byPerson = item.linkedBy ?? (byAutomation ? undefined : SORTERS[item.number % 5]!)
  if (isSorted) planTriage(world, item, byPerson === undefined && !item.isOpen)
  if (!item.isOpen && byPerson !== undefined) planSorting(world, item, byPerson, themeTimes)
  planSecondQuote(world, item, themeTimes)
}

/** A person puts a report into its theme, at the earliest when there is that theme. */
function planSorting({ story, cast, ids }: World, item: Item, by: string, themeTimes: Map<number, number>): void {
  const soon = item.linkedAt ?? item.at + (25 + (item.number % 7) * 40) * MINUTE_MS
  const at = Math.max(soon, (themeTimes.get(item.theme ?? 0) ?? 0) + item.number * 2_000 + 1_000)
  story.plan(at, async () => {
    const ctx = await cast.as(by)
    const id = ids.get(`feedback ${item.number}`)
    if (item.theme === undefined) await setFeedbackItemStatus(ctx, id, 'processed')
    else await linkItem(ctx, ids.get(`theme ${item.theme}`), id, item.quote)
  })
}

/** A person quotes it in a second theme as well. */
function planSecondQuote({ story, cast, ids }: World, item: Item, themeTimes: Map<number, number>): void {
  const { alsoTheme, number, quote } = item
  if (alsoTheme === undefined) return
  const at = Math.max(item.at + 5 * 60 * MINUTE_MS, themeTimes.get(alsoTheme)! + number * 3_000)
  story.plan(at, async () => {
    await linkItem(await cast.as('Grace'), ids.get(`theme ${alsoTheme}`), ids.get(`feedback ${number}`), quote)
  })
}

async function upload(ctx: Ctx, fileName: string) {
  const stored = await storeFile(ctx, UPLOADS, fileName)
  const file = await keepUpload(ctx, { ...stored, fileName, contentType: contentTypeOf(fileName) })
  return { fileName: file.fileName, fileKey: file.fileKey, fileSize: file.fileSize, mimeType: file.mimeType }
}

/** Submitting returns a number, as customers see it; everything else needs the id. */
async function newestItem({ db, actor }: Ctx): Promise<string> {
  const { rows } = await listItems(db, actor.projectId, undefined, 1, 0)
  return rows[0]!.id
}
