import { type ComponentProps, useState } from 'react'
import { takingFiles } from '../lib/uploads/files.ts'

interface Props extends ComponentProps<'div'> {
  onFiles(files: File[]): void
  /** Takes what is dropped instead, for those who take whole folders too. */
  onTransfer?(transfer: DataTransfer): void
}

/** Takes files that are dropped on it. `data-over` says that some are held over it. */
export function DropTarget({ onFiles, onTransfer, children, ...rest }: Props) {
  const [isOver, setIsOver] = useState(false)
  const { onDrop, onDragOver } = takingFiles(onFiles)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: whoever takes files has a button, or a field, for them too.
    <div
      {...rest}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        onDragOver(event)
        setIsOver(event.dataTransfer.types.includes('Files'))
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        setIsOver(false)
        if (!onTransfer) return onDrop(event)
        if (!event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        onTransfer(event.dataTransfer)
      }}
    >
      {children}
    </div>
  )
}
