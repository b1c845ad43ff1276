import { question } from '../lib/asking.ts'
import { useStore } from '../lib/store.ts'
import { ConfirmDialog } from './dialogs.tsx'

/** The question that waits for an answer. */
export default function Asking() {
  const asked = useStore(question)
  if (!asked) return null
  return (
    <ConfirmDialog
      title={asked.title}
      verb={asked.verb}
      onConfirm={async () => asked.answer(true)}
      onClose={() => {
        asked.answer(false)
        if (question.get() === asked) question.set(undefined)
      }}
    >
      <p>{asked.text}</p>
    </ConfirmDialog>
  )
}
