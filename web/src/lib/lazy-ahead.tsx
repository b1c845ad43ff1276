import { type ComponentType, lazy, useState } from 'react'

/**
 * Like `lazy`, for a part that may have been loaded ahead. Such a part shows at once: React would draw the fallback first and
 * keep it for 300 ms.
 */
export function lazyAhead<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  let loaded: ComponentType<Props> | undefined
  const loadAhead = async () => {
    const part = await load()
    loaded = part.default
    return part
  }
  const Later = lazy(loadAhead) as ComponentType<Props>
  const Part = (props: Props) => {
    const [Shown] = useState(() => loaded ?? Later)
    return <Shown {...props} />
  }
  return { Part, loadAhead }
}
