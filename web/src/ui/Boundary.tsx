import { CatchBoundary, type ErrorComponentProps } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { showToast } from '../lib/toasts.ts'
import { ErrorScreen } from './ErrorScreen.tsx'

interface Props {
  /** What is shown inside. When it changes, a fault is forgotten. */
  of: string
  children: ReactNode
}

/** Keeps a fault in one part of the screen from taking the rest down. The views of routes have this from the router. */
export const Boundary = ({ of, children }: Props) => (
  <CatchBoundary getResetKey={() => of} errorComponent={ErrorScreen}>
    {children}
  </CatchBoundary>
)

/** The same for what lies over the page: it closes, and the page stays. */
export const OverlayBoundary = ({ of, children }: Props) => (
  <CatchBoundary getResetKey={() => of} errorComponent={FaultToast}>
    {children}
  </CatchBoundary>
)

function FaultToast({ error }: ErrorComponentProps) {
  useEffect(() => {
    const reload = { label: 'Reload', run: () => location.reload() }
    showToast({ text: 'This cannot be shown', detail: (error as Error).message, tone: 'error', action: reload })
  }, [error])
  return null
}
