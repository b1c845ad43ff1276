import { useNavigate, useRouteContext } from '@tanstack/react-router'
import { type KeyboardEvent, type ReactNode, useDeferredValue, useMemo, useRef, useState } from 'react'
import { cx } from '../../lib/cx.ts'
import { useStore } from '../../lib/store.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { IconSearch, IconSquareCheck, IconX } from '../../ui/icons.ts'
import { Kbd } from '../../ui/Kbd.tsx'
import { clearSelection, selection } from '../../work-orders/selection.ts'
import { useActions } from './actions.tsx'
import css from './Palette.module.css'
import { useFoundWorkOrders } from './work-order-results.tsx'

export interface Result {
  id: string
  icon: ReactNode
  text: ReactNode
  end?: ReactNode
  run(): void
}

export interface Section {
  name: string
  count?: string | undefined
  results: Result[]
}

/** Finds anything by its words or number, and does what the keyboard can do. */
export default function Palette({ onClose }: { onClose(): void }) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const chosen = useStore(selection)
  const mode = text.startsWith('>') ? 'actions' : text.startsWith('#') ? 'work-orders' : 'all'
  const words = useDeferredValue(text.replace(/^[>#]\s*/, '').trim())
  const open = (number: number) => {
    onClose()
    void navigate({
      to: '/p/$projectId/work-orders/$number',
      params: { projectId: project.id, number: String(number) },
    })
  }
  const workOrders = useFoundWorkOrders(project.id, mode === 'actions' ? undefined : words, open)
  const actions = useActions(words, mode === 'actions', onClose)
  const sections = useMemo(
    () =>
      [workOrders, mode === 'work-orders' ? undefined : actions].filter((one): one is Section => !!one?.results.length),
    [workOrders, actions, mode],
  )
  const results = sections.flatMap((section) => section.results)
  const active = Math.min(at, results.length - 1)

  const press = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      const next = (active + (event.key === 'ArrowDown' ? 1 : -1) + results.length) % Math.max(1, results.length)
      setAt(next)
      list.current?.querySelectorAll('[role="option"]')[next]?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter') {
      event.preventDefault()
      results[active]?.run()
    }
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
          placeholder="Search, or type > for actions"
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setAt(0)
          }}
          onKeyDown={press}
        />
        {chosen.size > 0 && (
          <span className={css.chosen}>
            <IconSquareCheck size={15} stroke={1.75} />
            {chosen.size} selected
            <button type="button" aria-label="Clear the selection" onClick={clearSelection}>
              <IconX size={13} />
            </button>
          </span>
        )}
        <Kbd keys="esc" />
      </div>
      <div ref={list} id="palette" className={css.list} role="listbox">
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
        <span className={css.hints}>
          <b>#</b> work orders <b>&gt;</b> actions only
        </span>
      </footer>
    </Dialog>
  )
}
