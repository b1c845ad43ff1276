import type { Draft } from '../lib/drafts.ts'
import { discardWithUndo } from '../lib/outbox/discard-write.ts'
import { retryWrite, useWrites, type Write } from '../lib/outbox/index.ts'
import { useStore } from '../lib/store.ts'
import { clockOf, exactTimeOf } from '../lib/time.ts'
import { unkept } from '../lib/unkept.ts'
import { Button } from './Button.tsx'
import { IconAlertTriangle, IconCloudOff, IconDeviceFloppy, IconRefresh, IconX } from './icons.ts'
import { Markdown } from './Markdown.tsx'
import css from './Unsaved.module.css'

interface TextProps {
  label: string
  text: string
  write: Write
  onRetry(): void
  onKeep(): void
  onEdit?(): void
}

/** A text that the server did not take, where it would stand, with the reason and what to do. */
export function UnsavedText({ label, text, write, onRetry, onKeep, onEdit }: TextProps) {
  const isUnkept = useStore(unkept).has(write.id)
  return (
    <div className={css.around}>
      <section className={css.box} aria-label={`${label}, not saved`}>
        <header className={css.head}>
          {label}
          <span className={css.not}>
            <IconCloudOff size={14} stroke={1.75} /> not saved
          </span>
        </header>
        <div className={css.text}>
          <Markdown text={text} />
        </div>
        <div className={css.fault} role="alert">
          <IconAlertTriangle size={18} stroke={1.75} />
          <div className={css.grow}>
            <strong>Not saved: {write.fault?.message}</strong>
            <p>{detailOf(write)}</p>
          </div>
          {onEdit && <Button onClick={onEdit}>Edit</Button>}
          <Button icon={<IconRefresh size={15} />} onClick={onRetry}>
            Retry
          </Button>
          <Button onClick={onKeep}>Keep my text</Button>
        </div>
      </section>
      <p className={css.note}>
        <IconDeviceFloppy size={14} stroke={1.75} />
        {isUnkept
          ? 'Your text is too large for this browser’s storage. It stays here until it is saved: keep this tab open.'
          : 'Your text stays here and on this device until it is saved, even if you close the tab.'}
      </p>
    </div>
  )
}

function detailOf({ attempts, fault }: Write): string {
  if (!fault) return ''
  const tried = attempts > 1 ? `Tried ${attempts} times, last at` : 'Tried at'
  const parts = [`${tried} ${exactTimeOf(fault.at)}`]
  if (fault.status > 0) parts.push(String(fault.status))
  if (fault.requestId) parts.push(`request ${fault.requestId}`)
  return parts.join(' · ')
}

/** A change of a value that the server did not take. */
export function UnsavedChange({ write }: { write: Write }) {
  return (
    <div className={css.line} role="alert">
      <span className={css.part}>
        <IconX size={12} /> {write.part.charAt(0).toUpperCase() + write.part.slice(1)}
      </span>
      <span className={css.grow} title={detailOf(write)}>
        {write.text} was not saved, and is shown as it was. {write.fault?.message}
      </span>
      <button type="button" className={css.action} onClick={() => retryWrite(write.id)}>
        Retry
      </button>
      <button type="button" className={css.action} onClick={() => discardWithUndo(write.id)}>
        Dismiss
      </button>
    </div>
  )
}

/** All changes of something that the server did not take. */
export const UnsavedChanges = ({ subject }: { subject: string }) =>
  useWrites(subject)
    .filter(({ state }) => state === 'failed')
    .map((write) => <UnsavedChange key={write.id} write={write} />)

interface OfferProps {
  draft: Draft
  onContinue(): void
  onDiscard(): void
}

/** Offers a text that was typed earlier and never saved. */
export function DraftOffer({ draft, onContinue, onDiscard }: OfferProps) {
  return (
    <p className={css.offer}>
      <IconDeviceFloppy size={14} stroke={1.75} />
      <span className={css.grow}>Unsaved text from {clockOf(draft.at)} is on this device.</span>
      <button type="button" className={css.action} onClick={onContinue}>
        Continue
      </button>
      <button type="button" className={css.action} onClick={onDiscard}>
        Discard
      </button>
    </p>
  )
}
