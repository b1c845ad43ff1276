import { NodeSelection } from 'prosemirror-state'
import { type CSSProperties, type DragEvent, useLayoutEffect, useRef, useState } from 'react'
import { useStore } from '../../lib/store.ts'
import {
  IconArrowDown,
  IconArrowUp,
  IconChecklist,
  IconCode,
  IconCopy,
  IconGripVertical,
  IconHeading,
  IconList,
  IconListNumbers,
  IconPilcrow,
  IconQuote,
  IconReplace,
  IconTrash,
} from '../../ui/icons.ts'
import { AnchoredMenu, type MenuLine } from '../../ui/Menu.tsx'
import { type Editor, useShown } from '../create-editor.ts'
import css from './BlockHandle.module.css'
import type { Block } from './block.ts'
import { blockOf } from './block-menu.ts'
import { type BlockEdit, deleteBlock, duplicateBlock, moveBlock } from './commands.ts'
import { type Form, turnInto } from './turn-into.ts'

const BULLET_PX = 20
const SIZE = { size: 16, stroke: 1.75 }

const FORMS: { form: Form; label: string; Icon: typeof IconCode }[] = [
  { form: 'text', label: 'Text', Icon: IconPilcrow },
  { form: 'h1', label: 'Heading 1', Icon: IconHeading },
  { form: 'h2', label: 'Heading 2', Icon: IconHeading },
  { form: 'h3', label: 'Heading 3', Icon: IconHeading },
  { form: 'list', label: 'Bullet list', Icon: IconList },
  { form: 'numbers', label: 'Numbered list', Icon: IconListNumbers },
  { form: 'tasks', label: 'Task list', Icon: IconChecklist },
  { form: 'quote', label: 'Quote', Icon: IconQuote },
  { form: 'code', label: 'Code block', Icon: IconCode },
]

/** A grip beside the block under the pointer. It is dragged, or opens what can be done with the block. */
export function BlockHandle({ editor }: { editor: Editor }) {
  const { view, blockMenu } = editor
  const state = useStore(blockMenu)
  useShown(editor, () => state !== undefined)
  const button = useRef<HTMLButtonElement>(null)
  const [anchor, setAnchor] = useState<DOMRect>()
  const isOpen = state?.isOpen === true
  useLayoutEffect(() => void setAnchor(isOpen ? button.current?.getBoundingClientRect() : undefined), [isOpen])
  const block = state && blockOf(view, state.dom)
  if (!state || !block) return null
  const frame = (view.dom.parentElement as HTMLElement).getBoundingClientRect()
  const box = state.dom.getBoundingClientRect()
  const line = Number.parseFloat(getComputedStyle(state.dom).lineHeight) || box.height
  // A bullet stands before its item.
  const left = box.left - frame.left - (state.dom.matches('li:not([data-checked])') ? BULLET_PX : 0)
  const place = { '--top': `${box.top - frame.top + Math.min(line, box.height) / 2}px`, '--left': `${left}px` }
  const close = () => {
    blockMenu.set(undefined)
    view.focus()
  }
  const run = (edit: BlockEdit) => {
    const current = blockOf(view, state.dom)
    const tr = current && edit(view.state, current)
    close()
    if (tr) view.dispatch(tr)
  }
  const drag = (event: DragEvent) => {
    const selection = NodeSelection.create(view.state.doc, block.at)
    view.dispatch(view.state.tr.setSelection(selection))
    event.dataTransfer.effectAllowed = 'move'
    event.dataTransfer.setData('text/plain', view.state.doc.textBetween(selection.from, selection.to, '\n'))
    event.dataTransfer.setDragImage(state.dom, 0, 0)
    view.dragging = { slice: selection.content(), move: true }
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        className={css.handle}
        style={place as CSSProperties}
        aria-label="Block"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        title="Drag to move, click for more (Ctrl /)"
        draggable
        onDragStart={drag}
        onMouseDown={(event) => event.stopPropagation()}
        onClick={() => blockMenu.set({ ...state, isOpen: !isOpen })}
      >
        <IconGripVertical {...SIZE} />
      </button>
      {isOpen && anchor && <BlockMenu editor={editor} block={block} anchor={anchor} run={run} onClose={close} />}
    </>
  )
}

interface MenuProps {
  editor: Editor
  block: Block
  anchor: DOMRect
  run(edit: BlockEdit): void
  onClose(): void
}

/** What can be done with a block, as far as it can. */
function BlockMenu({ editor, block, anchor, run, onClose }: MenuProps) {
  const { state } = editor.view
  const forms = FORMS.filter(({ form }) => turnInto(form)(state, block))
  const option = (
    value: string,
    label: string,
    Icon: typeof IconCode,
    edit: BlockEdit,
    more: Partial<MenuLine> = {},
  ) => (edit(state, block) ? [{ value, label, icon: <Icon {...SIZE} />, ...more }] : [])
  const edits: Record<string, BlockEdit> = {
    up: moveBlock(-1),
    down: moveBlock(1),
    duplicate: duplicateBlock,
    delete: deleteBlock,
  }
  const options: MenuLine[] = [
    ...option('up', 'Move up', IconArrowUp, edits.up!),
    ...option('down', 'Move down', IconArrowDown, edits.down!),
    ...option('duplicate', 'Duplicate', IconCopy, duplicateBlock),
    ...(forms.length > 0
      ? [
          {
            value: 'turn',
            label: 'Turn into',
            icon: <IconReplace {...SIZE} />,
            more: forms.map(({ form, label, Icon }) => ({ value: form, label, icon: <Icon {...SIZE} /> })),
          },
        ]
      : []),
    ...option('delete', 'Delete', IconTrash, deleteBlock, { divided: true, danger: true }),
  ]
  return (
    <AnchoredMenu
      label="Block"
      anchor={anchor}
      options={options}
      onClose={onClose}
      onPick={(value) => run(edits[value] ?? turnInto(value as Form))}
    />
  )
}
