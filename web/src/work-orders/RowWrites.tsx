import { retryWrite, useWrites } from '../lib/outbox/index.ts'
import { Waits } from '../ui/Waits.tsx'
import css from './RowWrites.module.css'

/** What a row says about changes of it that are not saved: "status waits", or that it failed, with Retry. */
export function RowWrites({ id }: { id: string }) {
  const writes = useWrites(id)
  const last = writes.at(-1)
  if (!last) return null
  const failed = writes.find(({ state }) => state === 'failed')
  if (!failed) return <Waits write={last}>{last.part} waits</Waits>
  return (
    <span className={css.failed} title={`${failed.text} was not saved. ${failed.fault?.message ?? ''}`}>
      Not saved
      <button type="button" onClick={() => retryWrite(failed.id)}>
        Retry
      </button>
    </span>
  )
}

/** The same inside of a link, where no button can be: its page has Retry. */
export function RowWriteNote({ id }: { id: string }) {
  const writes = useWrites(id)
  const last = writes.at(-1)
  if (!last) return null
  if (writes.some(({ state }) => state === 'failed')) return <span className={css.failed}>Not saved</span>
  return <Waits write={last}>{last.part} waits</Waits>
}
