import { useMemo } from 'react'
import { cx } from '../../lib/cx.ts'
import { mergeLines } from '../../lib/merge-lines.ts'
import {
  comparisonOf,
  keepMerge,
  resolveConflict,
  restoreWrite,
  takeTheirs,
  type Write,
} from '../../lib/outbox/index.ts'
import { showToast } from '../../lib/toasts.ts'
import { Button } from '../Button.tsx'
import { Dialog } from '../Dialog.tsx'
import { IconAlertTriangle } from '../icons.ts'
import css from './CompareDialog.module.css'
import { changedLines } from './changed-lines.ts'

/** Somebody changed the lines that you changed, too: both texts, and the choice between them. */
export default function CompareDialog({ write, onClose }: { write: Write; onClose(): void }) {
  const { title, base, mine } = comparisonOf(write)!
  const { text: theirs, by } = write.theirs!
  const edited = write.merged
  const marks = useMemo(() => changedLines(theirs, mine), [theirs, mine])
  const take = () => {
    takeTheirs(write)
    const undo = { label: 'Undo', run: () => restoreWrite(write) }
    showToast({ text: `${by ?? 'Their'}${by ? '’s' : ''} text stays`, action: undo })
  }
  const edit = () => keepMerge(write.id, mergeLines(base, mine, theirs).text)
  const close = () => {
    onClose()
    showToast({
      text: edited === undefined ? 'Your text is kept on this device' : 'Your merged text is kept as a draft',
      detail: 'Open it again under “not saved” at the top.',
    })
  }
  return (
    <Dialog label={`${title} was changed meanwhile`} width={880} top={72} onClose={close}>
      <header className={css.head}>
        <IconAlertTriangle size={18} stroke={1.75} />
        <div>
          {/* The focus begins where Enter and Space do nothing. */}
          <h2 tabIndex={-1} data-autofocus>
            {title} was changed meanwhile
          </h2>
          <p>
            {by ?? 'Somebody'} changed the same lines while you wrote. Nothing is lost until you choose; Esc keeps your
            text for later.
          </p>
        </div>
      </header>
      <div className={css.sides}>
        <section aria-label="Theirs">
          <h3>{by ? `${by}, saved` : 'Theirs, saved'}</h3>
          <Side lines={marks.before} look={css.removed} />
        </section>
        <section aria-label="Mine">
          <h3>{edited === undefined ? 'Mine, not saved' : 'Both, edited'}</h3>
          {edited === undefined ? (
            <Side lines={marks.after} look={css.added} />
          ) : (
            <textarea
              className={css.field}
              aria-label="Text to save"
              autoFocus
              value={edited}
              onChange={(event) => keepMerge(write.id, event.target.value)}
            />
          )}
        </section>
      </div>
      <footer className={css.foot}>
        <Button onClick={take}>Take theirs</Button>
        <span className={css.grow} />
        {edited === undefined && <Button onClick={edit}>Edit</Button>}
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
