import { useEffect, useRef } from 'react'
import { cx } from '../../../lib/cx.ts'
import { useStore } from '../../../lib/store.ts'
import { KindSign } from '../../../people/KindSign.tsx'
import type { Editor } from '../create-editor.ts'
import css from '../menus.module.css'

const LINE_PX = 34
const MAX_PX = 330

/** What can be linked, at the cursor. */
export function LinkMenu({ editor }: { editor: Editor }) {
  const menu = useStore(editor.links)
  const list = useRef<HTMLDivElement>(null)
  const active = menu?.active
  useEffect(() => {
    if (active !== undefined) list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [active])
  if (!menu || (menu.items.length === 0 && !menu.isBusy && menu.query === '')) return null
  const { left, top, bottom } = menu.box
  const height = Math.min(MAX_PX, menu.items.length * LINE_PX) + 20
  const isAbove = bottom + height > innerHeight && top > height
  const place = {
    left: Math.max(8, Math.min(left, innerWidth - 328)),
    ...(isAbove ? { bottom: innerHeight - top + 6 } : { top: bottom + 6 }),
  }
  return (
    <div className={css.slash} style={place} role="listbox" aria-label="Link to" aria-busy={menu.isBusy}>
      <div ref={list} className={css.items}>
        {menu.items.map((item, index) => (
          <button
            key={item.id}
            type="button"
            role="option"
            aria-selected={index === menu.active}
            tabIndex={-1}
            className={cx(css.item, index === menu.active && css.active)}
            onMouseDown={(event) => {
              event.preventDefault()
              editor.pickLink(item)
            }}
            onMouseMove={() => editor.links.set({ ...menu, active: index })}
          >
            <span className={css.sign}>
              <KindSign {...item.found} />
            </span>
            <span className={css.name}>{item.text}</span>
            <span className={css.hint}>{item.kind}</span>
          </button>
        ))}
        {menu.items.length === 0 && <p className={css.none}>{menu.isBusy ? 'Searching…' : 'Nothing has this name.'}</p>}
      </div>
    </div>
  )
}
