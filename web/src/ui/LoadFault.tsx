import css from './LoadFault.module.css'

interface Props {
  what: string
  error: Error
  onRetry(): unknown
}

/** Stands where something could not be loaded. */
export function LoadFault({ what, error, onRetry }: Props) {
  return (
    <p className={css.fault} role="alert">
      {what} could not be loaded. {error.message}{' '}
      <button type="button" onClick={() => void onRetry()}>
        Try again
      </button>
    </p>
  )
}
