import { useEffect } from 'react'

/** What the tab and the history of the browser call the page. */
export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    if (!title) return
    document.title = `${title} · Slipway`
    return () => {
      document.title = 'Slipway'
    }
  }, [title])
}
