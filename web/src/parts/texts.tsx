import { useEffect, useRef, useState } from 'react'
import { keepDraft } from '../lib/drafts.ts'
import type { Write } from '../lib/outbox/index.ts'
import type { Upload } from '../lib/uploads/uploads.ts'
import { Button } from '../ui/Button.tsx'
import { DropTarget } from '../ui/DropTarget.tsx'
import { LongTextEditor, LongTextState } from '../ui/LongText.tsx'
import { Markdown } from '../ui/Markdown.tsx'
import { MentionField } from '../ui/MentionField.tsx'
import { UploadList } from '../ui/UploadList.tsx'
import { useLongText } from '../ui/use-long-text.ts'
import { FAILED, LONG, Part, State } from './Example.tsx'
import css from './Parts.module.css'

const upload = (name: string, part: Partial<Upload>): Upload => {
  const file = new File([], name)
  return { key: name, file, name, size: 48_200, sent: 0, ...part }
}
const UPLOADS = [
  upload('receipt.pdf', { sent: 1, storedId: 'receipt' }),
  upload('totals.csv', { sent: 0.42 }),
  upload('waiting.png', {}),
  upload('film.mov', { fault: 'The file has 3 GB, and 2 GB are allowed.' }),
  upload(`${LONG}.txt`, { sent: 1, storedId: 'long' }),
]

const MARKDOWN = `Totals are rounded **once**, see [the rules](/rules).

- [x] Half up
- [ ] Per currency

> [!NOTE]
> Refunds keep their cents.

| Currency | Digits |
| --- | --: |
| JPY | 0 |

\`\`\`js
round(total)
\`\`\`
`

export function Texts() {
  return (
    <>
      <Part name="LongText">
        <State is="read" wide>
          <Description draft="read" />
        </State>
        <State is="edited" wide>
          <Description draft="edited" isOpen />
        </State>
        <State is="read, with a draft" wide>
          <Description draft="kept" typed="Round half up." />
        </State>
        <State is="waits, while the server is away" wide>
          <Description draft="waits" write={{ ...FAILED, state: 'waiting' }} />
        </State>
        <State is="not saved" wide>
          <Description draft="failed" write={FAILED} />
        </State>
      </Part>
      <Part name="Markdown">
        <State is="of every kind" wide>
          <Markdown text={MARKDOWN} />
        </State>
        <State is="long text" wide>
          <Markdown text={LONG} />
        </State>
      </Part>
      <Part name="MentionField">
        <State is="empty">
          <Comment label="Comment" first="" />
        </State>
        <State is="long text">
          <Comment label="Reply" first={LONG} />
        </State>
        <State is="busy">
          <Comment label="Comment that is sent" first="Done." isBusy />
        </State>
      </Part>
      <Part name="DropTarget, UploadList">
        <State is="takes files">
          <Attachments first={[]} />
        </State>
        <State is="stored, on their way, failed, long text">
          <Attachments first={UPLOADS} />
        </State>
      </Part>
    </>
  )
}

interface DescriptionProps {
  draft: string
  /** What was typed on an earlier visit. */
  typed?: string
  write?: Write
  isOpen?: boolean
}

function Description({ draft, typed, write, isOpen }: DescriptionProps) {
  const [text, setText] = useState('Round the total once.')
  const start = { text, etag: undefined }
  useState(() => typed && keepDraft(`parts-${draft}`, typed, start))
  const lost = () => ({ text: LONG, from: start })
  const edit = useLongText({ draft: `parts-${draft}`, start, write, lost, send: setText })
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is opened once.
  useEffect(() => void (isOpen && edit.open()), [])
  if (edit.text !== undefined || edit.failed) return <LongTextEditor label={`Description, ${draft}`} edit={edit} />
  return (
    <>
      <LongTextState edit={edit} />
      <p>{text}</p>
      <span>
        <Button onClick={edit.open}>Edit</Button>
      </span>
    </>
  )
}

function Comment({ label, first, isBusy = false }: { label: string; first: string; isBusy?: boolean }) {
  const [text, setText] = useState(first)
  const field = useRef<HTMLTextAreaElement>(null)
  return (
    <div className={css.field}>
      <MentionField
        field={field}
        aria-label={label}
        placeholder="Write a comment, @ names somebody"
        rows={3}
        readOnly={isBusy}
        value={text}
        onChange={setText}
      />
    </div>
  )
}

function Attachments({ first }: { first: Upload[] }) {
  const [files, setFiles] = useState(first)
  const add = (added: File[]) => setFiles([...files, ...added.map((file) => upload(file.name, { size: file.size }))])
  const retry = ({ fault: _, ...again }: Upload) =>
    setFiles(files.map((one) => (one.key === again.key ? { ...again, sent: 0 } : one)))
  const remove = ({ key }: Upload) => setFiles(files.filter((one) => one.key !== key))
  return (
    <DropTarget className={css.drop} onFiles={add}>
      Drop files here.
      <UploadList uploads={{ files, retry, remove }} />
    </DropTarget>
  )
}
