import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { KINDS } from '../../lib/kinds.ts'
import { useShortcut } from '../../lib/shortcuts.ts'
import { IconButton } from '../../ui/Button.tsx'
import { IconArrowsMaximize, IconX } from '../../ui/icons.ts'
import { LoadFault } from '../../ui/LoadFault.tsx'
import { Markdown } from '../../ui/Markdown.tsx'
import { type Cited, thingQuery } from '../things.ts'
import css from './ThingBeside.module.css'

/** What an answer cites, to read beside it. */
export function ThingBeside({ projectId, cited }: { projectId: string; cited: Cited }) {
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery(thingQuery(projectId, cited))
  const close = () =>
    void navigate({ to: '.', search: (old: object) => ({ ...old, beside: undefined }), replace: true } as never)
  useShortcut('back', close)
  const Sign = KINDS[cited.kind].icon
  const name = data?.code ?? KINDS[cited.kind].name
  return (
    <aside className={css.panel} aria-label={name}>
      <header className={css.head}>
        <Sign size={16} stroke={1.75} aria-hidden="true" />
        <strong>{name}</strong>
        <span className={css.grow} />
        <Link to={cited.path} className={css.open} aria-label="Open as a page" title="Open as a page">
          <IconArrowsMaximize size={16} stroke={1.75} />
        </Link>
        <IconButton label="Close (Esc)" small onClick={close}>
          <IconX size={16} stroke={1.75} />
        </IconButton>
      </header>
      {error && !data && <LoadFault what={name} error={error} onRetry={refetch} />}
      {data && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by the keyboard.
        <div className={css.body} tabIndex={0}>
          <h2 className={css.title} dir="auto">
            {data.title}
          </h2>
          <p className={css.values}>{data.values.join(' · ')}</p>
          {cited.line && <pre className={css.line}>{data.markdown.split('\n')[cited.line - 1] ?? ''}</pre>}
          {data.words && <p className={css.words}>{data.words}</p>}
          {data.markdown && <Markdown text={data.markdown} />}
        </div>
      )}
    </aside>
  )
}
