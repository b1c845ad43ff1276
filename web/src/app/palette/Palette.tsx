import { useRouteContext } from '@tanstack/react-router'
import { Fragment, type KeyboardEvent, useEffect, useLayoutEffect, useReducer, useRef, useState } from 'react'
import { cx } from '../../lib/cx.ts'
import { keyInList } from '../../lib/listbox.ts'
import type { Selection } from '../../lib/selection.ts'
import { useStore } from '../../lib/store.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { IconSearch, IconSquareCheck, IconX } from '../../ui/icons.ts'
import { Kbd } from '../../ui/Kbd.tsx'
import { MODULES } from '../find-module.ts'
import { useLoadedModules } from '../loaded-modules.ts'
import { useActions } from './actions.tsx'
import { useFound } from './found.tsx'
import css from './Palette.module.css'
import type { Result } from './results.ts'
import { takeTyped, useTypeAhead } from './typed-ahead.ts'

const SIGNS = MODULES.flatMap(({ sign, title }) => (sign ? [{ sign, title: title.toLowerCase() }] : []))

/** Finds anything by its words or number, and does what the keyboard can do. */
export default function Palette({ onClose }: { onClose(): void }) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const [text, setText] = useState('')
  useLayoutEffect(() => {
    const typed = takeTyped()
    setText((before) => typed + before)
  }, [])
  /** The field gets the focus a moment after it appears. */
  const [isFocused, setIsFocused] = useState(false)
  useTypeAhead(!isFocused, setText)
  const [at, setAt] = useState(0)
  /** What is acted on. */
  const [target, setTarget] = useState<Result['subject']>()
  const list = useRef<HTMLDivElement>(null)
  const modules = useLoadedModules()
  // Actions are about what is selected.
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const onlyActions = text.startsWith('>')
  const only = MODULES.find(({ sign }) => sign && text.startsWith(sign))
  // Not deferred: Enter has to find the list of the text that was typed before it.
  const words = (onlyActions || only ? text.slice(1) : text).trim()
  const wanted = onlyActions || target ? undefined : words
  const { sections: found, isStale } = useFound(project.id, wanted, only, onClose)
  const filled = found.filter(({ results }) => results.length > 0)
  const foundResults = filled.flatMap(({ results }) => results)
  const actions = useActions({
    words,
    onlyActions,
    target,
    activeId: foundResults[at]?.subject?.id,
    hasFound: foundResults.length > 0,
    onClose,
  })
  const sections = only || actions.results.length === 0 ? filled : [...filled, actions]
  const results = sections.flatMap((section) => section.results)
  const active = Math.min(at, results.length - 1)
  /** Enter was pressed while the list still showed what the words before them found. */
  const [isAwaited, setIsAwaited] = useState(false)
  const change = (next: string) => {
    setText(next)
    setAt(0)
    setIsAwaited(false)
  }
  const awaited = isAwaited && !isStale ? results[active] : undefined
  useEffect(() => {
    if (!awaited) return
    setIsAwaited(false)
    awaited.run()
  }, [awaited])

  const press = (event: KeyboardEvent) => {
    const next = keyInList(event.key, active, results.length)
    if (typeof next === 'number') {
      event.preventDefault()
      setAt(next)
      list.current?.querySelectorAll('[role="option"]')[next]?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter') {
      event.preventDefault()
      const chosenResult = results[active]
      if ((event.metaKey || event.ctrlKey) && chosenResult?.href) window.open(chosenResult.href, '_blank', 'noopener')
      else if (isStale && !chosenResult?.isKnown) setIsAwaited(true)
      else chosenResult?.run()
    } else if (event.key === 'Tab' && !event.shiftKey && results[active]?.subject) {
      event.preventDefault()
      setTarget(results[active].subject)
      change('')
    } else if (event.key === 'Backspace' && text === '' && target) setTarget(undefined)
  }

  return (
    <Dialog label="Command palette" width={720} top={82} onClose={onClose}>
      <div className={css.head}>
        <IconSearch size={19} stroke={1.75} />
        <input
          data-autofocus
          className={css.field}
          role="combobox"
          aria-expanded="true"
          aria-controls="palette"
          aria-label="Search or do"
          placeholder={target ? `What to do with ${target.code}?` : 'Search, or type > for actions'}
          value={text}
          onChange={(event) => change(event.target.value)}
          onKeyDown={press}
          onFocus={() => setIsFocused(true)}
        />
        {target && (
          <span className={css.chosen}>
            {target.code}
            <button type="button" aria-label="Back to everything" onClick={() => setTarget(undefined)}>
              <IconX size={13} />
            </button>
          </span>
        )}
        {!target &&
          [...modules].map(
            ([id, { selection }]) => selection && <Selected key={id} selection={selection} onClear={redraw} />,
          )}
        <Kbd keys="esc" />
      </div>
      <div ref={list} id="palette" className={cx(css.list, isStale && css.stale)} role="listbox">
        {sections.map((section) => (
          <div key={section.name}>
            <div className={css.section}>
              {section.name} {section.count && <span>{section.count}</span>}
            </div>
            {section.results.map((result) => {
              const index = results.indexOf(result)
              return (
                <button
                  key={result.id}
                  type="button"
                  role="option"
                  tabIndex={-1}
                  aria-selected={index === active}
                  className={cx(css.result, index === active && css.active)}
                  onMouseMove={() => setAt(index)}
                  onClick={result.run}
                >
                  <span className={css.icon}>{result.icon}</span>
                  {result.text}
                  <span className={css.end}>
                    {result.end}
                    {index === active && <Kbd keys="enter" />}
                  </span>
                </button>
              )
            })}
          </div>
        ))}
      </div>
      <footer className={css.foot}>
        <span>
          <Kbd keys="up down" /> move
        </span>
        <span>
          <Kbd keys="enter" /> open
        </span>
        <span>
          <Kbd keys="mod+enter" /> in a new tab
        </span>
        <span>
          <Kbd keys="tab" /> actions on this
        </span>
        <span className={css.hints}>
          {SIGNS.map(({ sign, title }) => (
            <Fragment key={sign}>
              <b>{sign}</b> {title}{' '}
            </Fragment>
          ))}
          <b>&gt;</b> actions only
        </span>
      </footer>
    </Dialog>
  )
}

function Selected({ selection, onClear }: { selection: Selection; onClear(): void }) {
  const { size } = useStore(selection.ids)
  if (size === 0) return null
  const clear = () => {
    selection.clear()
    onClear()
  }
  return (
    <span className={css.chosen}>
      <IconSquareCheck size={15} stroke={1.75} />
      {size} selected
      <button type="button" aria-label="Clear the selection" onClick={clear}>
        <IconX size={13} />
      </button>
    </span>
  )
}
