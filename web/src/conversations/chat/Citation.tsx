import { useNavigate } from '@tanstack/react-router'
import { type MouseEvent, type ReactNode, useCallback } from 'react'
import { hasWidth, WITH_BESIDE } from '../../lib/breakpoints.ts'
import { cx } from '../../lib/cx.ts'
import { KINDS } from '../../lib/kinds.ts'
import type { DrawLink } from '../../ui/Markdown.tsx'
import { type Cited, citedBy } from '../things.ts'
import css from './Citation.module.css'

/** Draws links to things of the project as chips, which open the thing beside the conversation. */
export function useCitations(projectId: string, beside: string | undefined): DrawLink {
  const navigate = useNavigate()
  return useCallback(
    (href, children, key) => {
      const cited = citedBy(projectId, href)
      if (!cited) return undefined
      const open = (event: MouseEvent) => {
        // Where there is no room beside, and with a key, the link opens its page.
        if (!hasWidth(WITH_BESIDE) || event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        void navigate({ to: '.', search: (old: object) => ({ ...old, beside: cited.path }), replace: true } as never)
      }
      return (
        <Citation key={key} cited={cited} isOpen={beside === cited.path} onClick={open}>
          {children}
        </Citation>
      )
    },
    [projectId, beside, navigate],
  )
}

interface Props {
  cited: Cited
  isOpen: boolean
  onClick(event: MouseEvent): void
  children: ReactNode
}

function Citation({ cited: { kind, line, path }, isOpen, onClick, children }: Props) {
  const Sign = KINDS[kind].icon
  return (
    <a href={path} className={cx(css.chip, isOpen && css.open)} onClick={onClick}>
      <Sign size={13} stroke={1.75} aria-hidden="true" />
      <span className={css.name}>{children}</span>
      {line && <span className={css.line}>line {line}</span>}
    </a>
  )
}
