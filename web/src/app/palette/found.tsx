import type { Found } from '@slipway/sdk'
import * as api from '@slipway/sdk/resources'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useMemo } from 'react'
import { callOf } from '../../lib/client.ts'
import { codeOf, hrefOf, isKind, KINDS, kindNameOf } from '../../lib/kinds.ts'
import type { PalettePart } from '../../lib/module.ts'
import { listRecents } from '../../lib/recents.ts'
import { useSettled } from '../../lib/use-settled.ts'
import { KindSign } from '../../people/KindSign.tsx'
import { moduleOfKind } from '../find-module.ts'
import type { Module } from '../modules.ts'
import css from './Palette.module.css'
import { useParts } from './parts.ts'
import type { Result, Section } from './results.ts'

const MAX_SHOWN = 6
type Parts = ReadonlyMap<string, PalettePart>

/** What matches the words: what is on this device at once, everything else as soon as the server has answered. */
export function useFound(projectId: string, words: string | undefined, only: Module | undefined, onClose: () => void) {
  const router = useRouter()
  const parts = useParts()
  const asked = useSettled(words ?? '')
  const { data, isFetching } = useQuery({
    queryKey: [projectId, 'search', asked],
    queryFn: ({ signal }) => api.search(callOf(projectId)).everywhere({ q: asked, limit: MAX_SHOWN }, { signal }),
    enabled: asked !== '' && words !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const sections = useMemo((): Section[] => {
    if (words === undefined) return []
    const known = words === '' ? recentOf(projectId, parts) : findHere(projectId, parts, words)
    const ids = new Set(known.map(({ id }) => id))
    const found = words === '' ? [] : (data?.items ?? []).filter(({ id }) => !ids.has(id))
    const wanted = [...known, ...found].filter(({ kind }) => !only || only.kinds.includes(kind))
    const shown = wanted.flatMap((one) => {
      const href = hrefOf(router, projectId, one)
      return href === undefined ? [] : [{ one, href }]
    })
    const toResult = ({ one, href }: { one: Found; href: string }): Result => {
      const module = moduleOfKind(one.kind)
      const part = module && parts.get(module.id)
      return {
        id: one.id,
        isKnown: ids.has(one.id),
        icon: <KindSign {...one} />,
        text: <Line found={one} words={words} />,
        end: part?.End && <part.End projectId={projectId} found={one} />,
        ...(module && part?.actsOn === one.kind
          ? { subject: { moduleId: module.id, id: one.id, code: codeOf(one) ?? 'this' } }
          : {}),
        href,
        run() {
          onClose()
          router.history.push(href)
        },
      }
    }
    if (words === '') return [{ name: 'Recent', results: shown.map(toResult) }]
    const names = [...new Set(Object.values(KINDS).map(({ section }) => section))]
    return names.map((name) => {
      const all = shown.filter(({ one }) => KINDS[one.kind].section === name)
      const totals = data?.totals.filter(({ kind }) => KINDS[kind].section === name) ?? []
      const total = Math.max(
        all.length,
        totals.reduce((sum, one) => sum + one.total, 0),
      )
      const results = all.slice(0, MAX_SHOWN).map(toResult)
      return { name, results, count: total > results.length ? `${results.length} of ${total}` : String(total) }
    })
  }, [words, parts, data, projectId, only, router, onClose])
  return { sections, isStale: words !== undefined && (isFetching || asked !== words) }
}

const findHere = (projectId: string, parts: Parts, words: string) =>
  [...parts.values()].flatMap((part) => part.find?.(projectId, words) ?? [])

/** What was opened here, or else what changed last. */
function recentOf(projectId: string, parts: Parts): Found[] {
  const opened = listRecents(projectId).flatMap((recent): Found[] => {
    const { kind } = recent
    if (!isKind(kind)) return []
    const module = moduleOfKind(kind)
    const now = module && parts.get(module.id)?.look?.(projectId, recent.id)
    if (now === null) return []
    return [now ?? { ...recent, kind, status: null, detail: null, snippet: null }]
  })
  return opened.length > 0 ? opened : findHere(projectId, parts, '')
}

function Line({ found, words }: { found: Found; words: string }) {
  const code = codeOf(found)
  return (
    <>
      {code && <span className={css.code}>{code}</span>}
      <span className={css.title}>{marked(found.title, words)}</span>
      <span className={css.kind}>{found.snippet ? marked(oneLine(found.snippet), words) : kindNameOf(found)}</span>
    </>
  )
}

const oneLine = (text: string) =>
  text
    .replace(/[*_`#>]+/g, '')
    .replace(/\s+/g, ' ')
    .trim()

/** Marks the first place of each word. */
function marked(text: string, words: string) {
  const parts = words
    .split(/\s+/)
    .filter(Boolean)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  if (parts.length === 0) return text
  return text.split(new RegExp(`(${parts.join('|')})`, 'gi')).map((piece, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other name.
    index % 2 === 1 ? <mark key={index}>{piece}</mark> : piece,
  )
}
