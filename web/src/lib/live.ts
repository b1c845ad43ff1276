import { useEffect } from 'react'
import { type LiveState, openStream, type Stream, type Told } from './change-stream.ts'
import { loseChanges, takeChange } from './changes.ts'
import { setOnline } from './connection.ts'
import { standForLeader } from './lead.ts'
import { positionIn, setPosition } from './positions.ts'
import { BROWSER, pageOf, people, tellPage, tellPageAgain } from './presence.ts'
import { queryClient } from './query-client.ts'
import { createStore } from './store.ts'
import { useStable } from './use-stable.ts'

export const liveState = createStore<LiveState>('connecting')

/** What the tab that holds the stream tells the others, and what they ask it for. */
type Message = Told | { kind: 'ask' } | { kind: 'connect' }

let again: (() => void) | undefined
/** Tries at once, without waiting for the browser to do so. */
export const connectAgain = () => again?.()

/**
 * Follows what changes in a project. One tab of the browser holds the stream and passes on what it hears, because a
 * browser opens only six connections to a server over HTTP/1.1.
 */
export function useLiveUpdates(projectId: string, userId: string, refused: () => void): void {
  const on = useStable({ refused })
  useEffect(() => {
    const name = `slipway-live ${userId} ${projectId}`
    const channel = new BroadcastChannel(name)
    let stream: Stream | undefined
    let isBehind = true
    let catchingUp: Stream | undefined

    function take(message: Message): void {
      if ('position' in message && !catchingUp) setPosition(projectId, message.position)
      if (message.kind === 'state') {
        liveState.set(message.state)
        if (message.state !== 'connecting') setOnline(message.state === 'live')
        if (message.state === 'live') tellPageAgain(projectId)
      } else if (message.kind === 'people') {
        people.set(message.people)
        tellPage(projectId)
      } else if (message.kind === 'reset') {
        loseChanges()
        void queryClient.invalidateQueries({ queryKey: [projectId] })
      } else if (message.kind === 'change') takeChange(message.change, projectId)
    }

    const tell = (message: Told) => {
      take(message)
      channel.postMessage(message)
    }

    /** The tab that holds the stream passes on only what it hears from now on, and this one has read its screen before. */
    function catchUp(): void {
      if (!isBehind) return
      isBehind = false
      const begin = positionIn(projectId)
      catchingUp = openStream({
        here: () => ({ project_id: projectId }),
        position: () => begin,
        tell(message) {
          if (message.kind === 'position') endCatchingUp()
          if (message.kind !== 'state') take(message)
        },
        refused: on.refused,
      })
    }
    const endCatchingUp = () => {
      catchingUp?.close()
      catchingUp = undefined
    }

    const answer = () => {
      const position = positionIn(projectId)
      if (position !== undefined) channel.postMessage({ kind: 'position', position } satisfies Message)
      channel.postMessage({ kind: 'state', state: liveState.get() } satisfies Message)
      channel.postMessage({ kind: 'people', people: people.get() } satisfies Message)
    }

    const standing = standForLeader(name, {
      ask: () => channel.postMessage({ kind: 'ask' } satisfies Message),
      lead() {
        isBehind = false
        stream = openStream({
          here: () => ({ project_id: projectId, tab: BROWSER, page: pageOf(location.pathname) }),
          position: () => positionIn(projectId),
          tell,
          refused: on.refused,
        })
        return () => {
          stream?.close()
          stream = undefined
          isBehind = true
        }
      },
    })
    channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if (data.kind === 'ask') return stream && answer()
      if (data.kind === 'connect') return stream?.connect()
      standing.heard()
      catchUp()
      take(data)
    }
    again = () => (stream ? stream.connect() : channel.postMessage({ kind: 'connect' } satisfies Message))
    const left = () => liveState.set('offline')
    const returned = () => tellPageAgain(projectId)
    addEventListener('offline', left)
    addEventListener('focus', returned)
    addEventListener('online', connectAgain)
    return () => {
      again = undefined
      standing.stop()
      endCatchingUp()
      channel.close()
      people.set({ people: [], total: 0 })
      removeEventListener('offline', left)
      removeEventListener('focus', returned)
      removeEventListener('online', connectAgain)
    }
  }, [projectId, userId, on])
}
