import { useQuery } from '@tanstack/react-query'
import { IconFolder } from '../../ui/icons.ts'
import { openPicker } from '../../ui/open-picker.tsx'
import { Pick } from '../../ui/Pick.tsx'
import { foldersQuery } from '../api.ts'
import { ROOT_NAME } from '../artifact.ts'
import { moveArtifacts } from '../moves.ts'
import type { Named } from '../outcomes.ts'
import { isWithin, pathTo, ROOT_ID } from '../tree/folders.ts'

/** Lists the folders that something can be moved to, for those who do not drag. */
export const openMovePicker = (projectId: string, items: Named[], beside: Element) =>
  openPicker(beside, 'Move to', (close) => <MovePicker projectId={projectId} items={items} onClose={close} />)

function MovePicker({ projectId, items, onClose }: { projectId: string; items: Named[]; onClose(): void }) {
  const folders = useQuery(foldersQuery(projectId)).data?.folders ?? []
  const fitting = folders.filter(({ id }) => !items.some((one) => isWithin(folders, id, one.id)))
  const options = [
    { value: ROOT_ID, label: ROOT_NAME, icon: <IconFolder size={15} stroke={1.75} /> },
    ...fitting
      .map((folder) => ({
        value: folder.id,
        label: pathTo(folders, folder.id)
          .map(({ name }) => name)
          .join(' / '),
        icon: <IconFolder size={15} stroke={1.75} />,
      }))
      .sort((a, b) => a.label.localeCompare(b.label)),
  ]
  const parents = [...new Set(items.map(({ parent_id }) => parent_id ?? ROOT_ID))]
  return (
    <Pick
      placeholder={items.length === 1 ? `Move “${items[0]!.name}” to…` : `Move ${items.length} items to…`}
      options={options}
      selected={parents.length === 1 ? parents : []}
      onPick={(value) => {
        onClose()
        moveArtifacts(
          projectId,
          items,
          folders.find(({ id }) => id === value),
        )
      }}
    />
  )
}
