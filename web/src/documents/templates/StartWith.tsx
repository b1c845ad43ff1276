import { useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { Selection } from 'prosemirror-state'
import { useSyncExternalStore } from 'react'
import type { Editor } from '../../editor/create-editor.ts'
import { blocksOf } from '../../editor/markdown.ts'
import { queryClient } from '../../lib/query-client.ts'
import { showToast } from '../../lib/toasts.ts'
import { IconFileText } from '../../ui/icons.ts'
import { contentQuery, treeQuery } from '../api.ts'
import type { Kind } from '../kind.ts'
import css from './StartWith.module.css'
import { ownTemplates, TEMPLATES } from './templates.ts'

const isEmpty = ({ view }: Editor) => {
  const { doc } = view.state
  return doc.childCount === 0 || (doc.childCount === 1 && doc.firstChild!.isTextblock && doc.content.size === 2)
}

/** Does nothing if somebody has begun to write since the templates were shown. */
function fill(editor: Editor, markdown: string): void {
  if (!isEmpty(editor)) return
  const { view } = editor
  const { tr } = view.state
  tr.replaceWith(0, tr.doc.content.size, blocksOf(markdown))
  view.dispatch(tr.setSelection(Selection.atStart(tr.doc)))
  view.focus()
}

/** What an empty document can begin with. */
export function StartWith({ editor, kind, id }: { editor: Editor; kind: Kind; id: string }) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const isShown = useSyncExternalStore(editor.revision.subscribe, () => isEmpty(editor))
  const own = ownTemplates(useQuery(treeQuery(project.id, kind)).data).filter((node) => node.id !== id)
  if (!isShown) return null
  const take = async (templateId: string, title: string) => {
    try {
      const { text } = await queryClient.fetchQuery(contentQuery(project.id, kind, templateId))
      fill(editor, text)
    } catch (err) {
      showToast({ text: `“${title}” could not be read`, detail: (err as Error).message, tone: 'error' })
    }
  }
  const choice = (key: string, name: string, run: () => void) => (
    <button key={key} type="button" onClick={run}>
      <IconFileText size={15} stroke={1.75} /> {name}
    </button>
  )
  return (
    <section className={css.start} aria-label="Templates">
      <p>Start with a template</p>
      {TEMPLATES.map(({ name, markdown }) => choice(name, name, () => fill(editor, markdown)))}
      {own.map((node) => choice(node.id, node.title, () => void take(node.id, node.title)))}
      <p className={css.hint}>Documents below one called “Templates” are offered here too.</p>
    </section>
  )
}
