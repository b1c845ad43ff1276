import { Link } from '@tanstack/react-router'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { IconCloudUpload, IconFilter, IconFolders, IconUpload } from '../../ui/icons.ts'
import { Kbd } from '../../ui/Kbd.tsx'

interface Props {
  isRoot: boolean
  isFiltered: boolean
  onUpload: (() => void) | undefined
}

export function EmptyFolder({ isRoot, isFiltered, onUpload }: Props) {
  if (isFiltered)
    return (
      <EmptyState
        icon={<IconFilter size={22} stroke={1.75} />}
        title="Nothing matches"
        action={
          <Link to="." search={{}}>
            Clear the search
          </Link>
        }
      >
        Names are searched, and the text of documents and files, in this folder and below it.
      </EmptyState>
    )
  const action = onUpload && (
    <Button look="primary" icon={<IconUpload size={16} stroke={1.75} />} onClick={onUpload}>
      Upload <Kbd keys="u" onAccent />
    </Button>
  )
  if (!isRoot)
    return (
      <EmptyState icon={<IconCloudUpload size={22} stroke={1.75} />} title="This folder is empty" action={action}>
        Drop files or folders here, or paste them.
      </EmptyState>
    )
  return (
    <EmptyState
      icon={<IconFolders size={22} stroke={1.75} />}
      title="Keep what people and agents need to know"
      action={action}
      command={`curl ${location.origin}/v2/external-api/artifacts \\\n  -H "X-API-Key: $SLIPWAY_KEY" -F file=@study.pdf`}
    >
      Research, screens, contracts and notes. Connect them to requirements and work orders, and agents read them too.
    </EmptyState>
  )
}
