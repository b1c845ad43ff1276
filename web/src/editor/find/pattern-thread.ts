import type { PatternAnswer, PatternQuestion } from './find-pattern.ts'

/** Looks for a person's regular expression, which can take forever. It runs in a thread, which can be ended. */
addEventListener('message', ({ data }: MessageEvent<PatternQuestion>) => {
  const pattern = new RegExp(data.source, data.flags)
  const found: PatternAnswer = []
  for (const [block, text] of data.texts.entries())
    for (const groups of text.matchAll(pattern)) {
      if (found.length >= data.most) break
      if (groups[0] !== '') found.push({ block, index: groups.index, groups: [...groups] })
    }
  postMessage(found)
})
