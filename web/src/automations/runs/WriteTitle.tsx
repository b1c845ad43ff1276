import { useRouter } from '@tanstack/react-router'
import { codeOf, subjectOf, titleOf } from '../../agents/describe-write.ts'
import { hrefOf, isKind, KINDS } from '../../lib/kinds.ts'
import { IconBolt } from '../../ui/icons.ts'
import type { RunWrite } from '../api.ts'
import css from './Writes.module.css'

/** What a write is about: a link, if it exists. */
export function WriteTitle({ write, projectId }: { write: RunWrite; projectId: string }) {
  const router = useRouter()
  const { resource_id: id, number } = write
  const kind = subjectOf(write)
  const isKnown = kind !== null && isKind(kind)
  const Sign = isKnown ? KINDS[kind].icon : IconBolt
  const href =
    isKnown && id !== null && write.title !== null ? hrefOf(router, projectId, { kind, id, number }) : undefined
  const code = codeOf(write)
  const words = (
    <>
      {code && `${code} `}
      {titleOf(write)}
    </>
  )
  return (
    <span className={css.title}>
      <Sign size={16} stroke={1.75} aria-hidden="true" />
      {href ? (
        <a
          href={href}
          dir="auto"
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return
            event.preventDefault()
            event.stopPropagation()
            void router.navigate({ href })
          }}
        >
          {words}
        </a>
      ) : (
        <strong dir="auto">{words}</strong>
      )}
    </span>
  )
}
