import { acceptedView, rejectedView } from '../../server/src/engines/markdown/index.ts'
import { keyOf } from '../../server/src/product/live-texts/conversion/block-key.ts'
import { fragmentOf, readFragment } from '../../server/src/product/live-texts/conversion/read-fragment.ts'
import { readShared } from '../../server/src/product/live-texts/conversion/rich-form.ts'
import { addBlueprint } from '../../server/src/product/live-texts/live.factory.ts'
import { eventually, type Member, type Workspace } from '../../server/test/harness.ts'
import * as keyboard from './at-the-keyboard.ts'
import { type Chance, createChance } from './chance.ts'
import { type Ledger, openLedger } from './ledger.ts'
import { joinDocument, type Person } from './person.ts'
import { patch, restore, settleAll, settleOne, suggest, type Writer } from './requests.ts'

interface Options {
  seed: number
  steps: number
}

const PEOPLE = 3
/** After this many steps everybody stops, and the text is checked. */
const ROUND = 60

/** Lets people and programs write in one document, and returns what they lost. */
export async function writeTogether(workspace: Workspace, { seed, steps }: Options): Promise<string[]> {
  const chance = createChance(seed)
  const ledger = openLedger()
  const log: string[] = []
  const project = await workspace.project()
  const members = [project.admin]
  while (members.length < PEOPLE) members.push(await project.join('editor'))
  const program = await project.join('editor')
  const id = await addBlueprint(project.admin, firstText(ledger, members))
  const path = `/blueprints/${id}`
  const people: Person[] = []
  for (const member of members) people.push(await joinDocument(workspace.app, member, id))
  const room = { chance, ledger, log, people, writer: { chance, ledger, member: program, path }, path }
  const faults: string[] = []
  for (let step = 0, round = 0; step < steps && faults.length === 0; step += ROUND, round++) {
    const isSuggested = round % 3 === 2
    faults.push(...(isSuggested ? await suggestOnly(room, round) : await writeRound(room)))
  }
  for (const { editor } of people) {
    editor.provider.destroy()
    editor.disconnect()
  }
  if (faults.length > 0) {
    const stored = await storedIn(room)
    process.stdout.write(
      `seed ${seed} failed:\n${faults.join('\n')}\nthe last steps:\n${log.slice(-120).join('\n')}\n${stored}\n`,
    )
  }
  return faults
}

interface Room {
  chance: Chance
  ledger: Ledger
  log: string[]
  people: Person[]
  writer: Writer
  path: string
}

function firstText(ledger: Ledger, members: Member[]): string {
  let next = 0
  const line = () => {
    const by = members[next++ % members.length]!.name
    const anchor = ledger.newAnchor(undefined, by)
    return [anchor, ...Array.from({ length: 4 }, () => ledger.newWord(anchor, by))].join(' ')
  }
  const lines = (count: number, prefix = '') => Array.from({ length: count }, () => prefix + line())
  return `# ${line()}\n\n${lines(3).join('\n\n')}\n\n${lines(3, '- ').join('\n')}\n\n> ${line()}\n\n1. ${line()}\n2. ${line()}\n\n| ${line()} | ${line()} |\n|---|---|\n| ${line()} | ${line()} |\n\n${lines(3).join('\n\n')}\n`
}

/** Lets other work happen: messages arrive, and typing is stored. */
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function writeRound(room: Room): Promise<string[]> {
  const { chance, ledger, log, people, writer } = room
  const typing = new Map<Person, keyboard.Typing>()
  const pending = new Set<Promise<unknown>>()
  const ask = (name: string, request: Promise<string | undefined>) => {
    const noted = request.then((result) => result && log.push(`${name}: ${result}`))
    pending.add(noted)
    noted.then(
      () => pending.delete(noted),
      () => undefined,
    )
  }
  for (let step = 0; step < ROUND; step++) {
    const person = chance.oneOf(people)!
    const at = { chance, ledger, person }
    const begun = typing.get(person)
    if (begun) {
      // A few letters, then something else happens.
      for (let letters = 1 + chance.below(4); letters > 0; letters--)
        if (!keyboard.typeLetter(at, begun)) {
          typing.delete(person)
          break
        }
    } else if (pending.size < 2 && chance.isOneIn(4)) {
      const kind = chance.oneOf([
        'patch',
        'patch',
        'suggest',
        'suggest',
        'settleOne',
        'settleOne',
        'all',
        'restore',
      ] as const)!
      if (kind === 'all') ask('all', settleAll(writer, chance.oneOf(['accept', 'reject'] as const)!))
      else ask(kind, { patch, suggest, settleOne, restore }[kind](writer))
    } else atTheKeyboard(room, at, typing)
    await pause(chance.isOneIn(12) ? chance.below(400) : chance.below(6))
  }
  for (const [person, begun] of typing) while (keyboard.typeLetter({ chance, ledger, person }, begun));
  await Promise.all(pending)
  return check(room)
}

function atTheKeyboard(
  room: Room,
  at: { chance: Chance; ledger: Ledger; person: Person },
  typing: Map<Person, keyboard.Typing>,
): void {
  const { chance, log } = room
  const { person } = at
  const note = (what: string, result: string | undefined) =>
    result !== undefined && log.push(`${person.name}${person.isSuggesting ? ' suggests' : ''} ${what} ${result}`)
  const kind = chance.below(16)
  if (kind < 7) {
    const begun = keyboard.beginWord(at)
    if (begun) typing.set(person, begun)
    note('types', begun && `${begun.word} near ${begun.near}`)
  } else if (kind < 9) note('deletes', keyboard.deleteWord(at))
  else if (kind < 10) note('divides', keyboard.divideLine(at))
  else if (kind < 11) note('makes bold', keyboard.makeBold(at))
  else if (kind < 12) note('pastes', keyboard.pasteLines(at))
  else if (kind < 13) note('undoes', keyboard.undoLast(at))
  else if (kind < 14) {
    person.setOnline(!person.isOnline)
    note('is online', String(person.isOnline))
  } else person.isSuggesting = chance.isOneIn(2)
}

/** People only suggest. Rejecting all of it must give the bytes from before. */
async function suggestOnly(room: Room, round: number): Promise<string[]> {
  const { chance, ledger, people, log } = room
  const faults = await clean(room)
  const before = await storedIn(room)
  const typing = new Map<Person, keyboard.Typing>()
  for (const person of people) {
    person.isSuggesting = true
    // Undoing an edit from before would not be a suggestion.
    person.forget()
  }
  for (let step = 0; step < ROUND; step++) {
    const person = chance.oneOf(people)!
    const at = { chance, ledger, person }
    const begun = typing.get(person)
    if (begun) {
      if (!keyboard.typeLetter(at, begun)) typing.delete(person)
    } else {
      atTheKeyboard(room, at, typing)
      person.isSuggesting = true
    }
    await pause(chance.below(6))
  }
  for (const [person, begun] of typing) while (keyboard.typeLetter({ chance, ledger, person }, begun));
  for (const person of people) person.isSuggesting = false
  faults.push(...(await check(room)))
  const suggested = await storedIn(room)
  if (rejectedView(suggested) !== before)
    faults.push(
      `Rejecting all would not give the bytes from before: ${JSON.stringify({ before, after: rejectedView(suggested), suggested })}`,
    )
  const verdict = round % 2 === 0 ? 'reject' : 'accept'
  log.push(`${verdict} all`)
  faults.push(...(await clean(room, verdict)))
  const after = await storedIn(room)
  if (verdict === 'reject' && after !== before)
    faults.push(`Rejecting all did not give the bytes from before: ${JSON.stringify({ before, after })}`)
  if (verdict === 'accept' && after !== acceptedView(suggested))
    faults.push(
      `Accepting all did not give the edit: ${JSON.stringify({ before: acceptedView(suggested), after, suggested })}`,
    )
  return faults
}

/** Settles everything that is pending. */
async function clean(room: Room, verdict: 'accept' | 'reject' = 'accept'): Promise<string[]> {
  const faults = await check(room)
  await eventually(async () => settleAll(room.writer, verdict))
  return [...faults, ...(await check(room))]
}

const storedIn = async ({ writer, path }: Pick<Room, 'writer' | 'path'>): Promise<string> =>
  (await writer.member.api.get(path)).body.data.markdown_content

/** Waits until everybody has everything, then compares. */
async function check(room: Room): Promise<string[]> {
  const { people, ledger } = room
  for (const person of people) if (!person.isOnline) person.setOnline(true)
  await eventually(() => people.every(({ editor }) => editor.isSent()))
  let reason = ''
  const stored = await eventually(async () => {
    const before = await storedIn(room)
    reason = disagreement(people, before)
    return reason === '' && { markdown: before }
  }, 20_000).catch(() => undefined)
  if (!stored) return [`The editors and the markdown do not agree: ${reason}`]
  return ledger.faults(stored.markdown)
}

const said = (nodes: readonly Parameters<typeof keyOf>[0][]) =>
  nodes.filter(({ type, content }) => type.name !== 'paragraph' || content.size > 0).map(keyOf)

function disagreement(people: Person[], markdown: string): string {
  const shared = people.map(({ editor }) => readFragment(fragmentOf(editor.shared)))
  const other = shared.findIndex((doc) => !doc.eq(shared[0]!))
  if (other > 0) return `${people[other]!.name} has other blocks than ${people[0]!.name}`
  for (const [at, { doc, name }] of people.entries())
    if (JSON.stringify(doc().toJSON()) !== JSON.stringify(shared[at]!.toJSON()))
      return `the editor of ${name} shows ${doc()} and shares ${shared[at]}`
  const [stored, live] = [said(readShared(markdown, []).doc.children), said(shared[0]!.children)]
  const at = Array.from({ length: Math.max(stored.length, live.length) }, (_, index) => index).find(
    (index) => stored[index] !== live[index],
  )
  return at === undefined ? '' : `stored ${stored[at]}, shown ${live[at]}`
}
