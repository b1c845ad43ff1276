import { useStore } from '../lib/store.ts'
import { undo, undoable } from '../lib/undo.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { IconX } from '../ui/icons.ts'
import { Kbd } from '../ui/Kbd.tsx'
import { Time } from '../ui/Time.tsx'
import css from './UndoList.module.css'

/** The last changes of this tab. Each can be taken back, also long after its message is gone. */
export default function UndoList({ onClose }: { onClose(): void }) {
  const all = useStore(undoable)
  return (
    <Dialog label="Your last changes" width={480} onClose={onClose}>
      <header className={css.head}>
        <h2 className={css.title}>Your last changes</h2>
        <Kbd keys="mod+z" />
        <IconButton label="Close" onClick={onClose}>
          <IconX size={17} stroke={1.75} />
        </IconButton>
      </header>
      {all.length === 0 && <p className={css.none}>Nothing to undo in this tab.</p>}
      <ul className={css.list}>
        {all.map(({ id, text, at }) => (
          <li key={id} className={css.line}>
            <span className={css.text}>{text}</span>
            <Time className={css.time} at={new Date(at).toISOString()} />
            <Button onClick={() => void undo(id)}>Undo</Button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
