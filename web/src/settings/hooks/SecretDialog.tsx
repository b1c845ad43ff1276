import type { ReactNode } from 'react'
import { Button } from '../../ui/Button.tsx'
import css from '../../ui/dialogs.module.css'
import { FormDialog, NotCopied, Secret, useCloseOnce } from '../../ui/dialogs.tsx'
import { IconKey } from '../../ui/icons.ts'

interface Props {
  title: string
  lead: string
  secret: string
  children?: ReactNode
  onClose(): void
}

/** Shows a secret this once. */
export function SecretDialog({ title, lead, secret, children, onClose }: Props) {
  const { close, isAsking, markCopied } = useCloseOnce(onClose)
  return (
    <FormDialog
      title={title}
      lead={lead}
      icon={<IconKey size={18} stroke={1.75} />}
      tone="done"
      width={568}
      onClose={close}
      onSubmit={close}
      footer={
        <>
          <span className={css.grow} />
          <Button type="submit">I have stored it</Button>
        </>
      }
    >
      <Secret
        label="The secret"
        text={secret}
        tone="amber"
        note="Shown once. After you close this, it can only be rotated."
        onCopied={markCopied}
      />
      {isAsking && <NotCopied what="secret" />}
      {children}
    </FormDialog>
  )
}
