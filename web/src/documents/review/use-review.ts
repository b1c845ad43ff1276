import type { AttributedSuggestion } from '@slipway/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Editor } from '../../editor/create-editor.ts'
import type { OwnSuggestions } from '../../editor/suggesting/own-suggestions.ts'
import { type TrackedRun, trackedRuns } from '../../editor/suggesting/tracked-runs.ts'
import type { Decision } from '../../editor/suggesting/undo-decision.ts'
import type { Outcome } from '../../lib/outbox/index.ts'
import { queryClient } from '../../lib/query-client.ts'
import { useStore } from '../../lib/store.ts'
import { dismissToast, showToast } from '../../lib/toasts.ts'
import { useAgents } from '../../people/Avatar.tsx'
import { nameActor } from '../../people/actor-name.ts'
import { membersQuery } from '../../people/members.ts'
import { reviewQuery } from '../api.ts'
import { actorOf } from '../author.ts'
import type { Kind } from '../kind.ts'
import { decideChanges, decidedChanges, reloadReview, setDecided } from './decisions.ts'
import { nameRuns, type Proposal, proposalsOf } from './proposals.ts'

export interface Review {
  proposals: Proposal[]
  active: Proposal | undefined
  activate(id: string | undefined): void
  /** Activates one and gives its card the focus, so that keys act on it. */
  focus(id: string | undefined): void
  /** Steps to the next one, or back. */
  step(by: 1 | -1): void
  decide(which: Proposal[], verdict: 'accept' | 'reject'): void
  /** Returns true once for each card that was asked to have the focus. */
  takesFocus(): boolean
  /** Told by the editor what one suggests oneself. */
  own: OwnSuggestions
}

interface Options {
  projectId: string
  kind: Kind
  id: string
  editor: Editor | undefined
  me: { id: string; name: string }
  activeId: string | undefined
  activate(id: string | undefined): void
}

const NONE: never[] = []
const ASK_AGAIN_MS = 700
/** What the server does not know by then it will tell with its next change. */
const MOST_ASKED = 20
const MOVED_AFTER_MS = 200

/** The open suggestions of a document. What is decided vanishes at once, and comes back if the server refuses. */
export function useReview({ projectId, kind, id, editor, me, activeId, activate }: Options): Review {
  const query = reviewQuery(projectId, kind, id)
  const suggestions = useQuery(query).data?.suggestions ?? NONE
  const decided = useStore(decidedChanges)
  const begun = useRef(new Map<string, string>())
  const runs = useRuns(editor)
  // Their accounts tell agents from people.
  useQuery(membersQuery(projectId))
  const agents = useAgents()
  const latestActivate = useRef(activate)
  latestActivate.current = activate

  const own = useRef<OwnSuggestions & { listed: Set<string> }>(undefined)
  own.current ??= {
    listed: new Set(),
    has: (change) => begun.current.has(change) || own.current!.listed.has(change),
    add: (change) => {
      if (begun.current.has(change)) return
      begun.current.set(change, new Date().toISOString())
      latestActivate.current(change)
    },
  }
  own.current.listed = useMemo(
    () => new Set(suggestions.filter((one) => isBy(one, me.id)).map((one) => one.id)),
    [suggestions, me.id],
  )

  const proposals = useMemo(() => {
    const all = proposalsOf(runs, suggestions, (change, listed) => {
      if (listed) {
        const { created_by_name: name, created_by_id, origin, created_via: via, created_at: at } = listed
        const author = { name, id: created_by_id, origin, via }
        return { by: nameActor(actorOf(author), agents).name, author, at, isMine: isBy(listed, me.id) }
      }
      const at = begun.current.get(change)
      const isMine = at !== undefined
      const who = isMine ? { id: me.id, name: me.name } : { id: null, name: 'Someone' }
      const author = { ...who, origin: null }
      return { by: author.name, author, at: at ?? new Date().toISOString(), isMine }
    })
    return all.filter((one) => !one.changeIds.some((change) => decided.has(change)))
  }, [runs, suggestions, decided, me.id, me.name, agents])

  // Someone has begun a suggestion that the server was not asked about yet.
  const isUnknown = useMemo(() => {
    const listed = new Set(suggestions.map((one) => one.id))
    return runs.some((run) => run.id && !listed.has(run.id)) || nameRuns(runs, suggestions).length < runs.length
  }, [runs, suggestions])
  useEffect(() => {
    if (!isUnknown) return
    let asked = 0
    const timer = setInterval(() => {
      void queryClient.invalidateQueries({ queryKey: reviewQuery(projectId, kind, id).queryKey })
      if (++asked >= MOST_ASKED) clearInterval(timer)
    }, ASK_AGAIN_MS)
    return () => clearInterval(timer)
  }, [isUnknown, projectId, kind, id])

  const wantsFocus = useRef(false)
  const focus = (next: string | undefined) => {
    wantsFocus.current = next !== undefined
    activate(next)
  }
  const takesFocus = () => {
    const wanted = wantsFocus.current
    wantsFocus.current = false
    return wanted
  }

  const activeAt = proposals.findIndex((one) => one.changeIds.includes(activeId ?? ''))
  const step = (by: 1 | -1) => {
    const next =
      activeAt < 0 ? (by > 0 ? 0 : proposals.length - 1) : (activeAt + by + proposals.length) % proposals.length
    focus(proposals[next]?.id)
  }

  const decide = async (which: Proposal[], verdict: 'accept' | 'reject') => {
    const changes = which.flatMap(({ changeIds }) => changeIds)
    const isPending = (run: { id: string }) => changes.includes(run.id)
    const followDecision = () =>
      editor?.followDecision(() => nameRuns(trackedRuns(editor.view.state.doc), suggestions).filter(isPending).length)
    const first = followDecision()
    const isByKey = document.activeElement?.matches('[data-suggestion-card]')
    if (which.some(({ id: one }) => one === proposals[activeAt]?.id)) {
      const next = proposals.find((one, at) => at > activeAt && !which.includes(one))?.id
      if (isByKey) focus(next)
      else activate(next)
      // The button that was pressed goes away with its card. Keys go to the text then, where Undo takes it back.
      if (!isByKey || !next) editor?.view.focus()
    }
    // The decision is about what is shown. What its author types from now on stays a suggestion.
    const named = nameRuns(runs, suggestions)
    const texts = changes.flatMap((change) => shownText(named, suggestions, change) ?? [])
    const place = { kind, id }
    const follow = (outcome: Outcome<void>, decision: Decision | undefined) => {
      if (outcome.state === 'saved') {
        const undo = () => {
          dismissToast(toast)
          if (editor?.view.isDestroyed) return
          decision?.undo()
          setDecided(changes, false)
          reloadReview(projectId, place)
        }
        const toast = showToast({ text: decidedText(which, verdict), action: { label: 'Undo', run: undo } })
        editor?.setUndo(undo)
      } else if (outcome.state === 'failed') {
        decision?.forget()
        const run = async () => {
          const again = followDecision()
          follow(await outcome.retry(), again)
        }
        const text = verdict === 'accept' ? 'The suggestion was not accepted' : 'The suggestion was not rejected'
        const action = { label: 'Retry', run: () => void run() }
        showToast({ text, detail: outcome.fault.message, tone: 'error', action })
      }
    }
    const isComplete = texts.length === changes.length
    const write = { ...place, verdict, changes, texts: isComplete ? texts : undefined }
    follow(await decideChanges(projectId, write), first)
  }

  return {
    proposals,
    active: proposals[activeAt],
    activate,
    focus,
    takesFocus,
    step,
    decide: (which, verdict) => void decide(which, verdict),
    own: own.current,
  }
}

function decidedText(which: Proposal[], verdict: 'accept' | 'reject'): string {
  const what = which.length > 1 ? `${which.length} suggestions` : 'Suggestion'
  return `${what} ${verdict === 'accept' ? 'accepted' : which.every(({ isMine }) => isMine) ? 'withdrawn' : 'rejected'}`
}

/** Undefined if the decision is about a whole block, as it is by then. */
function shownText(runs: TrackedRun[], suggestions: AttributedSuggestion[], change: string): string | undefined {
  const parts = runs.filter((run) => run.id === change)
  if (parts.length === 0) return suggestions.find((one) => one.id === change)?.text
  return parts.some(({ isBlock }) => isBlock) ? undefined : parts.map(({ text }) => text).join('')
}

/** What someone's key or agent suggests is not their own: they decide about it. */
const isBy = (one: { created_by_id: string | null; origin: string | null }, userId: string) =>
  one.created_by_id === userId && one.origin === 'user'

/** The suggestions in the text, read once for each frame in which it changed. */
function useRuns(editor: Editor | undefined): TrackedRun[] {
  const [runs, setRuns] = useState<TrackedRun[]>(NONE)
  useEffect(() => {
    if (!editor) return
    let doc: unknown
    let frame = 0
    let latest: TrackedRun[] = NONE
    let timer: ReturnType<typeof setTimeout> | undefined
    const read = () => {
      frame = 0
      if (editor.view.isDestroyed || editor.view.state.doc === doc) return
      doc = editor.view.state.doc
      const next = trackedRuns(editor.view.state.doc)
      clearTimeout(timer)
      // A place that moves can wait until the typing pauses.
      if (isSame(latest, next)) timer = setTimeout(() => next.length > 0 && setRuns(next), MOVED_AFTER_MS)
      else setRuns(next)
      latest = next
    }
    read()
    const stop = editor.revision.subscribe(() => {
      frame ||= requestAnimationFrame(read)
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
      stop()
    }
  }, [editor])
  return runs
}

const isSame = (some: TrackedRun[], others: TrackedRun[]) =>
  some.length === others.length && some.every(({ id, text }, at) => id === others[at]!.id && text === others[at]!.text)
