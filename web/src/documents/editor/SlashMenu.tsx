import { useEffect, useRef } from 'react'
import { cx } from '../../lib/cx.ts'
import { useStore } from '../../lib/store.ts'
import {
  IconAlertCircle,
  IconChecklist,
  IconChevronRight,
  IconCode,
  IconHeading,
  IconLink,
  IconList,
  IconListNumbers,
  IconMinus,
  IconPhoto,
  IconQuote,
  IconTable,
  IconTopologyStar3,
} from '../../ui/icons.ts'
import { Kbd } from '../../ui/Kbd.tsx'
import type { Editor } from './create-editor.ts'
import css from './menus.module.css'
import { SLASH_ITEMS, type SlashItem } from './slash.ts'

const SIGNS: Record<string, typeof IconCode> = {
  list: IconList,
  numbers: IconListNumbers,
  tasks: IconChecklist,
  table: IconTable,
  code: IconCode,
  diagram: IconTopologyStar3,
  quote: IconQuote,
  callout: IconAlertCircle,
  details: IconChevronRight,
  rule: IconMinus,
  picture: IconPhoto,
  link: IconLink,
}

/** As in the style sheet: a line, and the group names and the foot around the lines. */
const LINE_PX = 34
const GROUPS_PX = 66
const FOOT_PX = 46
const MOST_PX = 330

export function SlashMenu({ editor }: { editor: Editor }) {
  const menu = useStore(editor.slash)
  const list = useRef<HTMLDivElement>(null)
  const active = menu?.items[menu.active]
  useEffect(() => {
    if (active) list.current?.querySelector(`[data-id="${active.id}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [active])
  if (!menu) return null
  const { left, top, bottom } = menu.box
  const height = Math.min(MOST_PX, menu.items.length * LINE_PX + GROUPS_PX) + FOOT_PX
  const isAbove = bottom + height > innerHeight && top > height
  const place = {
    left: Math.max(8, Math.min(left, innerWidth - 328)),
    ...(isAbove ? { bottom: innerHeight - top + 6 } : { top: bottom + 6 }),
  }
  return (
    <div className={css.slash} style={place} role="listbox" aria-label="Blocks" data-slash-menu>
      <div ref={list} className={css.items}>
        {menu.items.map((item, index) => (
          <Line
            key={item.id}
            item={item}
            isFirst={item.group !== menu.items[index - 1]?.group}
            isActive={index === menu.active}
            onPick={() => editor.pickSlash(item)}
            onHover={() => editor.slash.set({ ...menu, active: index })}
          />
        ))}
      </div>
      <div className={css.foot}>
        <span>
          <Kbd keys="up down" /> move
        </span>
        <span>
          <Kbd keys="esc" /> keep “/”
        </span>
        <span className={css.grow}>{menu.items.length < SLASH_ITEMS.length ? '' : 'typing filters'}</span>
      </div>
    </div>
  )
}

interface LineProps {
  item: SlashItem
  isFirst: boolean
  isActive: boolean
  onPick(): void
  onHover(): void
}

function Line({ item, isFirst, isActive, onPick, onHover }: LineProps) {
  const Sign = SIGNS[item.id] ?? IconHeading
  return (
    <>
      {isFirst && <div className={css.groupName}>{item.group}</div>}
      <button
        type="button"
        role="option"
        aria-selected={isActive}
        tabIndex={-1}
        data-id={item.id}
        className={cx(css.item, isActive && css.active)}
        onMouseDown={(event) => {
          event.preventDefault()
          onPick()
        }}
        onMouseMove={onHover}
      >
        <span className={css.sign}>
          <Sign size={16} stroke={1.75} />
        </span>
        {item.title}
        {item.hint && <span className={css.hint}>{item.hint}</span>}
        <span className={css.keys}>{isActive ? <Kbd keys="enter" /> : item.keys}</span>
      </button>
    </>
  )
}
