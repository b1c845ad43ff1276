import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { SlipwayError } from '../lib/client.ts'
import { useConnection } from '../lib/connection.ts'
import { usePageTitle } from '../lib/page-title.ts'
import { Button } from './Button.tsx'
import css from './ErrorScreen.module.css'
import { IconAlertTriangle, IconRefresh, IconWifiOff } from './icons.ts'

/** Shows what failed, with the id that finds it in the server's log. */
export function ErrorScreen({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const requestId = error instanceof SlipwayError ? error.requestId : undefined
  /** An error of the page, not of the server: what it shows now may be wrong. */
  const isFault = !(error instanceof SlipwayError)
  const isCodeMissing = isFault && NO_CODE.test(String((error as Error).message))
  const retry = () => {
    // A browser does not ask again for code that it could not load.
    if (isFault) return location.reload()
    reset()
    void router.invalidate()
  }
  const { isOnline } = useConnection()
  const isAway = (error instanceof SlipwayError && error.status === 0) || (isCodeMissing && !isOnline)
  const again = useRef(retry)
  again.current = retry
  const wasAway = useRef(!isOnline)
  useEffect(() => {
    if (isOnline && wasAway.current && (isAway || isCodeMissing)) again.current()
    wasAway.current = !isOnline
  }, [isOnline, isAway, isCodeMissing])
  if (isAway) return <Away onRetry={retry} />
  if (isCodeMissing) return <NotLoaded onRetry={retry} />
  if (isNotFound(error)) return <NotFoundScreen />
  return (
    <div className={css.screen} role="alert">
      <div className={css.icon}>
        <IconAlertTriangle size={22} />
      </div>
      <h1 className={css.title}>{isFault ? 'This page has an error' : 'Something went wrong'}</h1>
      <p className={css.text}>
        {isFault ? 'Reload it to go on. What you changed is kept on this device.' : error.message}
      </p>
      {requestId ? (
        <p className={css.id}>request {requestId}</p>
      ) : (
        <p className={css.id}>{String((error as Error).message)}</p>
      )}
      <div className={css.actions}>
        <Button look="primary" icon={<IconRefresh size={16} />} onClick={retry}>
          {isFault ? 'Reload' : 'Retry'}
        </Button>
        <Button onClick={() => location.assign('/')}>Go to the start</Button>
      </div>
    </div>
  )
}

/** How browsers say that a part of the app could not be loaded: no connection, or a newer version on the server. */
const NO_CODE = /dynamically imported module|Importing a module script failed|Unable to preload CSS/i

function NotLoaded({ onRetry }: { onRetry(): void }) {
  return (
    <div className={css.screen} role="alert">
      <div className={css.icon}>
        <IconRefresh size={22} />
      </div>
      <h1 className={css.title}>This page could not be loaded</h1>
      <p className={css.text}>
        Slipway was updated while this tab was open, or the connection broke. What you changed is kept on this device.
      </p>
      <div className={css.actions}>
        <Button look="primary" icon={<IconRefresh size={16} />} onClick={onRetry}>
          Reload
        </Button>
      </div>
    </div>
  )
}

/** Nothing has an address that cannot be read: a word in the place of a number or an id. */
const isNotFound = (error: unknown) =>
  error instanceof SlipwayError &&
  (error.status === 404 || (error.status === 422 && error.message.includes('In the path:')))

function Away({ onRetry }: { onRetry(): void }) {
  return (
    <div className={css.screen} role="alert">
      <div className={css.icon}>
        <IconWifiOff size={22} />
      </div>
      <h1 className={css.title}>Slipway cannot be reached</h1>
      <p className={css.text}>
        This page is not on this device. It opens as soon as the server answers. What you changed waits here and is not
        lost.
      </p>
      <div className={css.actions}>
        <Button look="primary" icon={<IconRefresh size={16} />} onClick={onRetry}>
          Try now
        </Button>
      </div>
    </div>
  )
}

export function NotFoundScreen() {
  usePageTitle('Nothing here')
  return (
    <div className={css.screen}>
      <h1 className={css.title}>There is nothing here</h1>
      <p className={css.text}>The address may be mistyped, or what it named was deleted.</p>
      <div className={css.actions}>
        <Button look="primary" onClick={() => location.assign('/')}>
          Go to the start
        </Button>
      </div>
    </div>
  )
}
