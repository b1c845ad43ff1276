import { useQuery } from '@tanstack/react-query'
import { signInOptionsQuery } from '../lib/session.ts'
import { IconAlertCircle } from '../ui/icons.ts'
import css from './Entry.module.css'

/**
 * The address at which people can sign in, if it is not this one: a browser does not keep the cookie of a server with an
 * https address on a page that came over plain HTTP. Only the page knows how it came; to the server, a proxy with TLS in
 * front looks the same.
 */
export function useSecureAddress(): string | undefined {
  const { data } = useQuery({ ...signInOptionsQuery, enabled: !window.isSecureContext })
  return data?.base_url.startsWith('https:') && !window.isSecureContext ? data.base_url : undefined
}

export function PlainHttp({ address }: { address: string }) {
  return (
    <>
      <p className={css.lead}>Nobody can sign in on this page.</p>
      <p className={css.refusal} role="alert">
        <IconAlertCircle size={16} stroke={1.75} />
        <span>
          This page came over plain HTTP, and this server is set up for <strong>{address}</strong>. If that address is
          wrong, the person who runs the server changes <code>BASE_URL</code>.
        </span>
      </p>
      <a href={address + location.pathname + location.search} className={css.other}>
        Open it there
      </a>
    </>
  )
}
