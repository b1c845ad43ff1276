import { useMemo, useState } from 'react'
import { cx } from '../lib/cx.ts'
import { comparisonOf, discardWrite, resolveConflict, type Write } from '../lib/outbox/index.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { IconAlertTriangle } from '../ui/icons.ts'
import css from './CompareDialog.module.css'
import { changedLines } from './changed-lines.ts'
import { showToast } from './toasts.tsx'

/** Somebody changed the text that you changed, too: both texts, and the choice between them. */
export default function CompareDialog({ write, onClose }: { write: Write; onClose(): void }) {
  const { title, mine } = comparisonOf(write)!
  const theirs = write.theirs!.text
  const [edited, setEdited] = useState<string>()
  const marks = useMemo(() => changedLines(theirs, mine), [theirs, mine])
  const takeTheirs = () => {
    discardWrite(write.id)
    showToast({
      text: 'Their text stays',
      action: { label: 'Use mine instead', run: () => resolveConflict(write, mine) },
    })
  }
  return (
    <Dialog label={`${title} was changed meanwhile`} width={880} top={72} onClose={onClose}>
      <header className={css.head}>
        <IconAlertTriangle size={18} stroke={1.75} />
        <div>
          <h2>{title} was changed meanwhile</h2>
          <p>Somebody saved another text while you wrote yours. Nothing is lost until you choose.</p>
        </div>
      </header>
      <div className={css.sides}>
        <section aria-label="Theirs">
          <h3>Theirs, saved</h3>
          <Side lines={marks.before} look={css.removed} />
        </section>
        <section aria-label="Mine">
          <h3>Mine{edited === undefined ? ', not saved' : ', edited'}</h3>
          {edited === undefined ? (
            <Side lines={marks.after} look={css.added} />
          ) : (
            <textarea
              className={css.field}
              aria-label="Text to save"
              data-autofocus
              autoFocus
              value={edited}
              onChange={(event) => setEdited(event.target.value)}
            />
          )}
        </section>
      </div>
      <footer className={css.foot}>
        <Button onClick={takeTheirs}>Take theirs</Button>
        <span className={css.grow} />
        {edited === undefined && <Button onClick={() => setEdited(mine)}>Edit</Button>}
        <Button look="primary" onClick={() => resolveConflict(write, edited ?? mine)}>
          {edited === undefined ? 'Keep mine' : 'Save this'}
        </Button>
      </footer>
    </Dialog>
  )
}

function Side({ lines, look }: { lines: { text: string; isChanged: boolean }[]; look: string | undefined }) {
  return (
    <pre className={css.text}>
      {lines.map(({ text, isChanged }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name.
        <span key={index} className={cx(css.line, isChanged && look)}>
          {text || ' '}
        </span>
      ))}
    </pre>
  )
}
