import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { conversationOf, said } from '../conversation.factory.ts'
import { eventsOf, json, signedIn } from '../person.factory.ts'
import { scriptedModel } from '../scripted-model.factory.ts'

let workspace: Workspace
beforeAll(async () => {
  workspace = await openWorkspace()
})
afterAll(() => workspace.close())

describe('a conversation', () => {
  test('shows no thoughts of a model that is known to have them, and hears it at once when it has none', async () => {
    const model = await scriptedModel()
    const someone = await signedIn(workspace, model)
    /** The words that are seen while the model says this. */
    const wordsFor = async (text: string) => {
      let say: () => void = () => undefined
      const held = new Promise<void>((resolve) => {
        say = resolve
      })
      model.script(async () => {
        await held
        return { text }
      })
      const { data } = await json(someone.call('POST', '/agent_conversations', { message: 'And?' }))
      const answer = await someone.call('GET', `/agent_conversations/${data.id}/stream`)
      const events = eventsOf(Promise.resolve(answer))
      say()
      const texts = (await events).filter((one) => one.event === 'text').map((one) => one.data.text)
      return texts.join('')
    }
    await wordsFor('thoughts</think>One.')
    expect(await wordsFor('more thoughts\n</think>\n\nTwo, which is longer.')).toBe('Two, which is longer.')
    await wordsFor('This time without.')
    expect(await wordsFor('Nor now.')).toBe('Nor now.')
  })

  test.each(['nonsense', '', '-1', '1.5', '2147483648', '99999999999999999999', '-99999999999'])(
    'is followed from its beginning by who has seen "%s" last',
    async (seen) => {
      const someone = await signedIn(workspace)
      const { conversationId } = await conversationOf(workspace, { id: someone.projectId }, someone)
      const path = `/agent_conversations/${conversationId}/stream`
      const events = await eventsOf(someone.call('GET', path, undefined, { 'last-event-id': seen }))
      expect(events.map((one) => one.event)).toEqual(['message', 'end'])
    },
  )

  test('is followed to its end, however much was said', async () => {
    const someone = await signedIn(workspace)
    const events = Array.from({ length: 2_000 }, (_, index) => said('assistant', `${index}`))
    const { conversationId } = await conversationOf(workspace, { id: someone.projectId }, someone, { events })
    const seen = await eventsOf(someone.call('GET', `/agent_conversations/${conversationId}/stream`))
    const texts = seen.filter((one) => one.event === 'message').map((one) => one.data.text)
    expect(texts).toEqual(['A question', ...events.map((one) => one.text)])
    expect(seen.at(-1)!.event).toBe('end')
  })
})
