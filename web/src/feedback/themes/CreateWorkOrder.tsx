import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { IconPlus } from '../../ui/icons.ts'
import { Kbd } from '../../ui/Kbd.tsx'
import type { ThemeRow } from './api.ts'
import { createFromTheme } from './edits.ts'
import { useShortcut } from './shortcuts.ts'

/** One step: title, text and quotes are filled in, and both are linked. */
export function CreateWorkOrder({ row, projectId }: { row: ThemeRow; projectId: string }) {
  const [busy, setBusy] = useState(false)
  const create = async () => {
    setBusy(true)
    await createFromTheme(projectId, { row, what: 'work_order' })
    setBusy(false)
  }
  useShortcut('theme-work-order', busy ? undefined : () => void create())
  return (
    <Button look="primary" icon={<IconPlus size={16} />} busy={busy} onClick={() => void create()}>
      Create work order <Kbd keys="w" onAccent />
    </Button>
  )
}
