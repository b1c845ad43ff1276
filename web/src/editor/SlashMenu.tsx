import { Fragment } from 'react'
import { useStore } from '../lib/store.ts'
import { FieldList, FieldOption, LINE_PX, MOST_PX } from '../ui/FieldList.tsx'
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
} from '../ui/icons.ts'
import { Kbd } from '../ui/Kbd.tsx'
import type { Editor } from './create-editor.ts'
import css from './menus.module.css'
import { SLASH_ITEMS } from './slash.ts'

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

/** As in the style sheet: the group names and the foot around the lines. */
const GROUPS_PX = 66
const FOOT_PX = 46

export function SlashMenu({ editor }: { editor: Editor }) {
  const menu = useStore(editor.slash)
  if (!menu) return null
  return (
    <FieldList
      label="Blocks"
      box={menu.box}
      heightPx={Math.min(MOST_PX, menu.items.length * LINE_PX + GROUPS_PX) + FOOT_PX}
      foot={
        <>
          <span>
            <Kbd keys="up down" /> move
          </span>
          <span>
            <Kbd keys="esc" /> keep “/”
          </span>
          <span className={css.grow}>{menu.items.length < SLASH_ITEMS.length ? '' : 'typing filters'}</span>
        </>
      }
    >
      {menu.items.map((item, index) => {
        const Sign = SIGNS[item.id] ?? IconHeading
        const isActive = index === menu.active
        return (
          <Fragment key={item.id}>
            {item.group !== menu.items[index - 1]?.group && <div className={css.groupName}>{item.group}</div>}
            <FieldOption
              isActive={isActive}
              sign={<Sign size={16} stroke={1.75} />}
              name={item.title}
              hint={item.hint}
              keys={isActive ? <Kbd keys="enter" /> : (item.keys ?? '')}
              onPick={() => editor.pickSlash(item)}
              onHover={() => editor.slash.set({ ...menu, active: index })}
            />
          </Fragment>
        )
      })}
    </FieldList>
  )
}
