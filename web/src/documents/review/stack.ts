export interface Slot {
  /** Where the card wants to stand: beside its mark. */
  wanted: number
  height: number
}

const GAP_PX = 12

/** Places cards below each other. The active one stands where it wants and pushes its neighbours away in both directions. */
export function stack(slots: Slot[], active: number): number[] {
  const tops: number[] = []
  let free = 0
  for (const [at, { wanted, height }] of slots.entries()) {
    const top = at === active ? Math.max(0, wanted) : Math.max(wanted, free)
    tops.push(top)
    free = top + height + GAP_PX
  }
  for (let at = active - 1; at >= 0; at--) tops[at] = Math.min(tops[at]!, tops[at + 1]! - GAP_PX - slots[at]!.height)
  return tops
}
