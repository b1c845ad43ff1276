import type { Ctx } from '../kernel/context.ts'
import { BLUEPRINT_KIND, createBlueprint } from '../product/blueprints/index.ts'
import {
  changeThread,
  findPair,
  findTree,
  listDocuments,
  listVersions,
  loadDocument,
  replyToThread,
  restoreVersion,
  settleAllChanges,
  startThread,
  suggest,
  writeDocument,
} from '../product/documents/index.ts'
import { createRequirements, REQUIREMENTS_KIND } from '../product/requirements/index.ts'
import { type Entry, entriesOf, listOf, type Note } from './content.ts'
import { growthOf } from './growth.ts'
import { asAutomation } from './runs.ts'
import { storyTime } from './story-time.ts'
import type { World } from './world.ts'

type Kind = typeof REQUIREMENTS_KIND | typeof BLUEPRINT_KIND

/** Requirements and blueprints, with the versions, suggestions and comments that led to them. */
export function planDocuments(world: World): void {
  for (const entry of entriesOf('overview.md')) planOverview(world, entry)
  for (const entry of entriesOf('features.md')) planFeature(world, entry)
  for (const entry of entriesOf('blueprints.md')) planBlueprint(world, entry)
  for (const entry of entriesOf('feature-blueprints.md')) planWriting(world, BLUEPRINT_KIND, entry)
}

/** Every project starts with these documents. */
function planOverview(world: World, entry: Entry): void {
  const { story, deps, project, ids } = world
  story.plan(storyTime(entry.fields.at!) - 60_000, async () => {
    const filters = { treeName: 'OVERVIEW', title: entry.name }
    const { rows } = await listDocuments(deps.db, project.id, REQUIREMENTS_KIND, filters, 1, 0)
    ids.set(`requirement ${entry.name}`, rows[0]!.id)
  })
  planWriting(world, REQUIREMENTS_KIND, entry)
}

function planFeature(world: World, entry: Entry): void {
  const { story, cast, deps, project, ids } = world
  const { by, at, parent } = entry.fields
  story.plan(storyTime(at!) - 60_000, async () => {
    const document = await createRequirements(await cast.as(by!), {
      title: entry.name,
      documentType: 'FEATURE',
      markdownContent: '',
      parentId: parent ? ids.get(`requirement ${parent}`) : null,
    })
    ids.set(`requirement ${entry.name}`, document.id)
    const pair = await findPair(deps.db, project.id, document.id)
    ids.set(`blueprint ${entry.name}`, pair!.id)
  })
  planWriting(world, REQUIREMENTS_KIND, entry)
}

function planBlueprint(world: World, entry: Entry): void {
  const { story, cast, deps, project, ids } = world
  const { by, at, category } = entry.fields
  story.plan(storyTime(at!) - 60_000, async () => {
    const tree = await findTree(deps.db, project.id, BLUEPRINT_KIND, { name: category! })
    const document = await createBlueprint(await cast.as(by!), {
      title: entry.name,
      markdownContent: '',
      parentId: null,
      categoryId: tree!.id,
    })
    ids.set(`blueprint ${entry.name}`, document.id)
  })
  planWriting(world, BLUEPRINT_KIND, entry)
}

/** The text grows from `at` to `until`, one version after the other; then come the notes. */
function planWriting(world: World, kind: Kind, entry: Entry): void {
  const { story, cast, ids } = world
  const { by, at, until, authors, versions } = entry.fields
  const name = nameOf(kind, entry.name)
  const [from, to] = [storyTime(at!), storyTime(until ?? at!)]
  const writers = listOf(authors ?? by)
  const texts = growthOf(`${entry.text}\n`, versions === undefined ? undefined : Number(versions) - 1)
  for (const [index, text] of texts.entries()) {
    const share = texts.length === 1 ? 1 : index / (texts.length - 1)
    story.plan(from + (to - from) * share, async () => {
      await writeDocument(await cast.as(writers[index % writers.length]!), kind, ids.get(name), text)
    })
  }
  planNotes(world, kind, entry)
}

const nameOf = (kind: Kind, title: string) => `${kind === BLUEPRINT_KIND ? 'blueprint' : 'requirement'} ${title}`

/** The automations whose notes the content has, and for whom they act. */
const OWNERS: Record<string, string> = { 'Feedback triage': 'Ada' }

function planNotes(world: World, kind: Kind, { name, notes }: Entry): void {
  const { story, cast, ids } = world
  const as = (author: string) => (OWNERS[author] ? asAutomation(world, author, OWNERS[author]) : cast.as(author))
  const review = createReview(kind, () => ids.get(nameOf(kind, name)))
  for (const note of notes) {
    const [author, at, ...words] = note.words
    story.plan(at!, async () => (review[note.kind] ?? unknownNote(note))(await as(author!), note, words))
  }
}

type Act = (ctx: Ctx, note: Note, words: string[]) => Promise<unknown>

function unknownNote({ kind }: Note): Act {
  throw new Error(`The demo has a note "${kind}" that no document understands.`)
}

/** What a note can do with a document. It remembers the last thread. */
function createReview(kind: Kind, idOf: () => string): Record<string, Act> {
  let threadId = ''
  return {
    write: (ctx: Ctx, { text }: Note) => writeDocument(ctx, kind, idOf(), `${text}\n`),
    edit: (ctx: Ctx, { text }: Note) => editDocument(ctx, kind, idOf(), text),
    async restore(ctx: Ctx, _note: Note, [number]) {
      const version = (await listVersions(ctx, kind, idOf())).find((one) => one.versionNumber === Number(number))
      await restoreVersion(ctx, kind, idOf(), version!.id)
    },
    suggest: (ctx: Ctx, { text }: Note) => suggestChange(ctx, kind, idOf(), text),
    accept: (ctx: Ctx) => settleAllChanges(ctx, kind, idOf(), 'accept'),
    async comment(ctx: Ctx, { text }: Note, words: string[]) {
      const { message, anchor } = readComment(text)
      threadId = (await startThread(ctx, kind, idOf(), message, words.includes('flagged'), anchor)).id
    },
    reply: (ctx: Ctx, { text }: Note) => replyToThread(ctx, kind, idOf(), threadId, text),
    resolve: (ctx: Ctx) => changeThread(ctx, kind, idOf(), threadId, { isResolved: true, isFlagged: undefined }),
  }
}

/** A first line "> words" names the passage that the comment is about. */
function readComment(text: string) {
  const [, quote, message] = /^> (.+)\n([\s\S]+)$/.exec(text) ?? []
  if (!quote || !message) return { message: text, anchor: null }
  return { message, anchor: { quote, prefix: '', suffix: '', position: null } }
}

/** "old", a line "=>", "new". Pending suggestions stay. */
export async function editDocument(ctx: Ctx, kind: Kind, id: string, text: string): Promise<void> {
  const [before = '', after = ''] = text.split('\n=>\n')
  const { markdownContent } = await loadDocument(ctx, kind, id)
  if (!markdownContent.includes(before)) throw new Error(`The demo edits a text that is not there: "${before}".`)
  await writeDocument(ctx, kind, id, markdownContent.replace(before, after))
}

/** "- old" and "+ new", each on a line. Returns the ids of the pending changes. */
export function suggestChange(ctx: Ctx, kind: Kind, id: string, text: string): Promise<string[]> {
  const line = (sign: string) => text.split('\n').find((one) => one.startsWith(`${sign} `)) ?? ''
  const suggestion = { oldText: line('-').slice(2), newText: line('+').slice(2), replaceAll: false }
  return suggest(ctx, kind, id, suggestion)
}
