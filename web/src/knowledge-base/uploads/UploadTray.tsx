import { memo, useState } from 'react'
import { KindIcon } from '../../artifacts/KindIcon.tsx'
import { kindOfFile } from '../../artifacts/kinds.ts'
import { useBusyStore } from '../../lib/store.ts'
import { useTicking } from '../../lib/ticks.ts'
import { sizeOf } from '../../lib/uploads/files.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { IconChevronDown, IconChevronUp, IconCircleCheck, IconRefresh, IconUpload, IconX } from '../../ui/icons.ts'
import { undoReplacement } from '../earlier-contents.ts'
import css from './UploadTray.module.css'
import { cancelUploads, retryUpload, settleTaken, type Upload, uploads } from './uploads.ts'

const MAX_LINES = 100

/** Files on their way, on every page. */
export function UploadTray({ projectId }: { projectId: string }) {
  const all = useBusyStore(uploads).filter((one) => one.projectId === projectId)
  const [isFolded, setFolded] = useState(false)
  if (all.length === 0) return null
  const done = all.filter(({ state }) => state === 'done')
  const asking = all.filter(({ state }) => state === 'asking')
  const isOver = done.length === all.length
  const sizes = all.reduce((sum, { file }) => sum + file.size, 0)
  const sent = all.reduce((sum, one) => sum + (one.state === 'done' ? one.file.size : one.sentBytes), 0)
  const folders = new Set(all.map(({ folderName }) => folderName))
  // What needs somebody comes first, what is done last.
  const rank = ({ state }: Upload) => ['asking', 'failed', 'sending', 'waiting', 'elsewhere', 'done'].indexOf(state)
  const lines = all.toSorted((a, b) => rank(a) - rank(b)).slice(0, MAX_LINES)
  const close = () => cancelUploads(all.map(({ key }) => key))
  return (
    <section className={css.tray} aria-label="Uploads">
      <header className={css.head}>
        <IconUpload size={16} stroke={1.75} />
        <h2>
          {isOver ? 'Uploaded' : 'Uploading'}
          {folders.size === 1 && ` to ${[...folders][0]}`}
        </h2>
        <span className={css.count} role="status">
          {done.length} of {all.length} done
        </span>
        <span className={css.grow} />
        <IconButton
          label={isFolded ? 'Show the files' : 'Hide the files'}
          small
          aria-expanded={!isFolded}
          onClick={() => setFolded(!isFolded)}
        >
          {isFolded ? <IconChevronUp size={16} stroke={1.75} /> : <IconChevronDown size={16} stroke={1.75} />}
        </IconButton>
        {all.some(({ state }) => state !== 'elsewhere') && (
          <IconButton label={isOver ? 'Close' : 'Cancel all'} small onClick={close}>
            <IconX size={16} stroke={1.75} />
          </IconButton>
        )}
      </header>
      <progress
        className={css.whole}
        aria-label="All uploads"
        max={1}
        value={sizes > 0 ? sent / sizes : Number(isOver)}
      />
      {!isFolded && (
        <>
          {asking.length > 1 && (
            <div className={css.ask}>
              <span>{asking.length} names are taken.</span>
              <Button
                onClick={() =>
                  settleTaken(
                    asking.map(({ key }) => key),
                    'replace',
                  )
                }
              >
                Replace all
              </Button>
              <Button
                onClick={() =>
                  settleTaken(
                    asking.map(({ key }) => key),
                    'keep',
                  )
                }
              >
                Keep both
              </Button>
            </div>
          )}
          <ul className={css.lines}>
            {lines.map((one) => (
              <Line key={one.key} upload={one} />
            ))}
            {all.length > MAX_LINES && <li className={css.rest}>and {all.length - MAX_LINES} more</li>}
          </ul>
        </>
      )}
    </section>
  )
}

const Line = memo(function Line({ upload }: { upload: Upload }) {
  const { key, projectId, name, file, state, sentBytes, taken, replaces, storedAt } = upload
  const now = useTicking(() => (state === 'sending' ? Math.floor(Date.now() / 1000) : 0))
  const share = state === 'done' ? 1 : file.size > 0 ? sentBytes / file.size : 0
  return (
    <li className={css.line} data-state={state}>
      <KindIcon kind={kindOfFile(file)} name={name} />
      <div className={css.body}>
        <div className={css.words}>
          <span className={css.name} dir="auto">
            {name}
          </span>
          <span className={css.state}>{stateOf(upload, now * 1000)}</span>
        </div>
        <progress aria-label={`Upload of ${name}`} max={1} value={share} />
      </div>
      <div className={css.action}>
        {state === 'asking' && (
          <>
            {taken?.isFile && <Button onClick={() => settleTaken([key], 'replace')}>Replace</Button>}
            <Button onClick={() => settleTaken([key], 'keep')}>Keep both</Button>
          </>
        )}
        {state === 'failed' && (
          <Button icon={<IconRefresh size={15} stroke={1.75} />} onClick={() => retryUpload(key)}>
            {sentBytes > 0 ? 'Resume' : 'Retry'}
          </Button>
        )}
        {state === 'done' && replaces && (
          <Button
            aria-label={`Undo: earlier content of ${name}`}
            onClick={() => {
              undoReplacement(projectId, { id: replaces, name }, storedAt!)
              cancelUploads([key])
            }}
          >
            Undo
          </Button>
        )}
        {state === 'done' ? (
          <IconCircleCheck size={17} stroke={1.75} className={css.done} aria-label="Done" />
        ) : (
          state !== 'elsewhere' && (
            <Button look="quiet" aria-label={`Cancel ${name}`} onClick={() => cancelUploads([key])}>
              Cancel
            </Button>
          )
        )}
      </div>
    </li>
  )
})

function stateOf({ state, file, sentBytes, begun, fault, isOffline }: Upload, now: number): string {
  if (state === 'done') return `Done · ${sizeOf(file.size)}`
  if (state === 'waiting') return `Waiting · ${sizeOf(file.size)}`
  if (state === 'elsewhere') return `Another tab uploads it · ${sizeOf(file.size)}`
  if (state === 'asking') return 'There is a file with this name'
  if (isOffline) return `Connection lost at ${sizeOf(sentBytes)} of ${sizeOf(file.size)}`
  if (state === 'failed') return fault ?? 'Not uploaded'
  const parts = [`${sizeOf(sentBytes)} of ${sizeOf(file.size)}`]
  const seconds = begun ? (now - begun.at) / 1000 : 0
  const rate = seconds >= 1 && begun ? (sentBytes - begun.bytes) / seconds : 0
  if (rate > 0) parts.push(`${sizeOf(rate)}/s`, `${Math.ceil((file.size - sentBytes) / rate)} s`)
  return parts.join(' · ')
}
