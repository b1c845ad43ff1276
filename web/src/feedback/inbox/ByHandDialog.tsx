import { useState } from 'react'
import { AttachButton } from '../../comments/Composer.tsx'
import { openAddress } from '../../lib/navigate.ts'
import { discardWrite } from '../../lib/outbox/index.ts'
import { reasonOf } from '../../lib/outbox/write.ts'
import { useShortcut } from '../../lib/shortcuts.ts'
import { showToast } from '../../lib/toasts.ts'
import { takingFiles } from '../../lib/uploads/files.ts'
import { useUploads } from '../../lib/uploads/uploads.ts'
import { Button } from '../../ui/Button.tsx'
import { DropTarget } from '../../ui/DropTarget.tsx'
import { FormDialog } from '../../ui/dialogs.tsx'
import { Field } from '../../ui/fields.tsx'
import { Kbd } from '../../ui/Kbd.tsx'
import { Select } from '../../ui/Select.tsx'
import { UploadList } from '../../ui/UploadList.tsx'
import css from './Dialogs.module.css'
import { addByHand, type ByHand, HAND_SOURCES } from './edits.ts'
import { storeReportFile } from './report-files.ts'

/** As many as the API takes. */
const MOST_FILES = 20

/** Adds what somebody said in a call, a mail or a meeting. */
export default function ByHandDialog({ projectId, onClose }: { projectId: string; onClose(): void }) {
  const [email, setEmail] = useState('')
  const [content, setContent] = useState('')
  const [source, setSource] = useState<ByHand['source']>('Call')
  const [fault, setFault] = useState<string>()
  const [busy, setBusy] = useState(false)
  const uploads = useUploads(projectId, storeReportFile(projectId))
  const submit = async () => {
    if (!content.trim()) return setFault('Write down or paste what was said.')
    if (!/^[^\s@]+@[^\s@]+$/.test(email.trim())) return setFault('Enter the e-mail address of who said it.')
    if (!uploads.isDone) return setFault('A file is not uploaded yet. Wait for it, retry it or take it off.')
    if (uploads.files.length > MOST_FILES)
      return setFault(`A report can have ${MOST_FILES} files, and you chose ${uploads.files.length}. Take some off.`)
    setBusy(true)
    setFault(undefined)
    const attachments = uploads.files.map(({ storedId, name, size, file }) => ({
      file_key: storedId!,
      file_name: name,
      file_size: size,
      mime_type: file.type || 'application/octet-stream',
    }))
    const outcome = await addByHand(projectId, { end_user_email: email.trim(), content, source, attachments })
    setBusy(false)
    if (outcome.state === 'failed') {
      // The text stays here and is sent as a new one.
      discardWrite(outcome.id)
      return setFault(reasonOf(outcome.fault))
    }
    onClose()
    if (outcome.state === 'saved') openAddress(`/p/${projectId}/feedback/${outcome.answer.number}`)
    else showToast({ text: 'The report is added when you are back online' })
  }
  useShortcut('submit', () => void submit(), { inDialog: true })
  return (
    <FormDialog
      title="Add feedback by hand"
      lead="What somebody told you in a call, a mail or a meeting."
      width={540}
      onClose={onClose}
      onSubmit={() => void submit()}
      footer={
        <>
          <span className={css.grow} />
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={busy}>
            Add <Kbd keys="mod+enter" onAccent />
          </Button>
        </>
      }
    >
      <label className={css.label}>
        What they said
        <textarea
          data-autofocus
          className={css.text}
          maxLength={100_000}
          placeholder="In their own words. The first line becomes the title."
          value={content}
          onChange={(event) => setContent(event.target.value)}
          {...takingFiles(uploads.add)}
        />
      </label>
      <DropTarget className={css.files} onFiles={uploads.add}>
        <UploadList uploads={uploads} />
        <span className={css.pair}>
          <AttachButton onFiles={uploads.add} /> Attach a screenshot, a recording or the mail
        </span>
      </DropTarget>
      <Field
        label="E-mail address of who said it"
        type="email"
        autoComplete="off"
        placeholder="customer@example.org"
        value={email}
        onChange={setEmail}
      />
      <span className={css.pair}>
        Heard in a
        <Select
          label="Heard in a"
          value={source}
          options={HAND_SOURCES.map((value) => ({ value, label: value }))}
          onPick={(value) => setSource(value as ByHand['source'])}
        />
      </span>
      {fault && (
        <p className={css.fault} role="alert">
          {fault}
        </p>
      )}
    </FormDialog>
  )
}
