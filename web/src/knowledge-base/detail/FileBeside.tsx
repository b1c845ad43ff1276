import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { KindIcon } from '../../artifacts/KindIcon.tsx'
import panel from '../../ui/BesidePanel.module.css'
import { BesidePanel } from '../../ui/BesidePanel.tsx'
import { rowQuery } from '../api.ts'
import { renameArtifact } from '../edits.ts'
import { NameInput } from '../list/NamingRow.tsx'
import { useOpenArtifact } from '../list/open-artifact.ts'
import { Preview } from '../preview/Preview.tsx'
import type { KnowledgeSearch } from '../search.ts'
import css from './Detail.module.css'
import { EarlierContents } from './EarlierContents.tsx'
import { FileFacts } from './FileFacts.tsx'
import { FileTools } from './FileTools.tsx'
import { UsedIn } from './UsedIn.tsx'

interface Props {
  projectId: string
  id: string
  /** The files of the list, in its order. */
  order: string[]
  isWhole: boolean
}

/** A file beside the list that it was opened from. */
export default function FileBeside({ projectId, id, order, isWhole }: Props) {
  const { data: row, error } = useQuery(rowQuery(projectId, id))
  const [isNaming, setNaming] = useState(false)
  const navigate = useNavigate()
  const open = useOpenArtifact(projectId)
  const close = () =>
    void navigate({ to: '.', search: (old: KnowledgeSearch) => ({ ...old, beside: undefined }) } as never)
  return (
    <BesidePanel
      name={row?.name ?? ''}
      path={`/p/${projectId}/knowledge-base/${id}`}
      order={order}
      isWhole={isWhole}
      id={id}
      isSmall
      icon={row && <KindIcon kind={row.kind} name={row.name} size={18} />}
      tools={row && <FileTools projectId={projectId} row={row} onRename={() => setNaming(true)} onGone={close} />}
      onGo={(next) => open({ id: next, type: 'file' }, { replace: true })}
      onOpenPage={() => open({ id, type: 'file' }, { asPage: true })}
      onClose={close}
    >
      {isNaming && row && (
        <div className={css.naming}>
          <NameInput
            row={row}
            onDone={(name, before) => {
              setNaming(false)
              if (name) renameArtifact(projectId, id, before, name)
            }}
          />
        </div>
      )}
      {error && !row ? (
        <p className={panel.fault} role="alert">
          {error.message}
        </p>
      ) : (
        row && (
          <>
            <div className={css.preview}>
              <Preview key={row.id} projectId={projectId} row={row} />
            </div>
            <div className={css.about}>
              <UsedIn projectId={projectId} id={id} />
              <FileFacts row={row} />
              <EarlierContents projectId={projectId} row={row} />
            </div>
          </>
        )
      )}
    </BesidePanel>
  )
}
