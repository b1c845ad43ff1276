import { useStore } from '../../lib/store.ts'
import { KindSign } from '../../people/KindSign.tsx'
import { FieldList, FieldOption, LINE_PX, MOST_PX } from '../../ui/FieldList.tsx'
import type { Editor } from '../create-editor.ts'

/** What can be linked, at the cursor. */
export function LinkMenu({ editor }: { editor: Editor }) {
  const menu = useStore(editor.links)
  if (!menu || (menu.items.length === 0 && !menu.isBusy && menu.query === '')) return null
  return (
    <FieldList
      label="Link to"
      box={menu.box}
      heightPx={Math.min(MOST_PX, menu.items.length * LINE_PX) + 20}
      isBusy={menu.isBusy}
      none={menu.items.length > 0 ? undefined : menu.isBusy ? 'Searching…' : 'Nothing has this name.'}
    >
      {menu.items.map((item, index) => (
        <FieldOption
          key={item.id}
          isActive={index === menu.active}
          sign={<KindSign {...item.found} />}
          name={item.text}
          hint={item.kind}
          onPick={() => editor.pickLink(item)}
          onHover={() => editor.links.set({ ...menu, active: index })}
        />
      ))}
    </FieldList>
  )
}
