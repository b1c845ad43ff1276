import type { KeyboardCoordinateGetter } from '@dnd-kit/core'

/** Arrow keys move a lifted card to the next column on that side. */
export const columnByArrow: KeyboardCoordinateGetter = (event, { currentCoordinates, context }) => {
  const step = event.code === 'ArrowRight' ? 1 : event.code === 'ArrowLeft' ? -1 : 0
  if (step === 0) return undefined
  event.preventDefault()
  const columns = [...context.droppableContainers.getEnabled()]
    .flatMap(({ id }) => {
      const rect = context.droppableRects.get(id)
      return rect ? [{ id, rect }] : []
    })
    .sort((a, b) => a.rect.left - b.rect.left)
  const at = columns.findIndex(({ id }) => id === context.over?.id)
  const next = columns[at + step]
  const card = context.collisionRect
  if (!next || !card) return undefined
  return {
    x: next.rect.left + next.rect.width / 2 - card.width / 2,
    y: currentCoordinates.y,
  }
}
