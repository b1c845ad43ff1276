import { recordTurn, type TurnEvent } from '../product/conversations/index.ts'
import { type Entry, entriesOf, type Note } from './content.ts'
import { storyTime } from './story-time.ts'
import type { World } from './world.ts'

const TURN_MS = 95_000
let calls = 0

/** Conversations of people with the agent. Those of automations come with their runs. */
export function planConversations(world: World): void {
  for (const entry of entriesOf('conversations.md')) planConversation(world, entry)
}

function planConversation(world: World, entry: Entry): void {
  const { story, cast, deps, project, ids } = world
  const turns = turnsOf(entry.notes)
  const name = `conversation ${entry.name}`
  for (const [index, { question, events }] of turns.entries())
    story.plan(storyTime(entry.fields.at!) - (turns.length - 1 - index) * TURN_MS, async () => {
      const about = {
        projectId: project.id,
        ownerId: cast.user(entry.fields.by ?? 'Ada').id,
        origin: 'user' as const,
        title: entry.name,
        prompt: question,
        ...(index > 0 && { conversationId: ids.get(name), addition: question }),
      }
      ids.set(name, (await recordTurn(deps, about, events)).conversationId)
    })
}

/** Each "@@ asks" begins a turn. */
function turnsOf(notes: Note[]): { question: string; events: TurnEvent[] }[] {
  const turns: { question: string; events: TurnEvent[] }[] = []
  for (const note of notes)
    if (note.kind === 'asks') turns.push({ question: note.text, events: [] })
    else turns.at(-1)!.events.push(...eventOf(note))
  return turns
}

/** "@@ calls list_work_orders" has the input in its first line and the output below; "@@ says" is a final reply. */
export function eventOf({ kind, words, text }: Note): TurnEvent[] {
  if (kind === 'says') return [{ kind: 'assistant', text, isFinal: true }]
  if (kind !== 'calls') return []
  const [input = '{}', ...output] = text.split('\n')
  const tool = { toolName: words[0]!, toolCallId: `call_${++calls}` }
  const toolStatus = words[1] === 'failed' ? ('failed' as const) : ('succeeded' as const)
  return [
    { kind: 'tool_call', text: input, isFinal: false, ...tool },
    { kind: 'tool_result', text: output.join('\n'), isFinal: false, ...tool, toolStatus },
  ]
}
