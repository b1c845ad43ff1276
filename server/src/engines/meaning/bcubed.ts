/**
 * Measures how well groups match topics. Precision is the share of a text's group that has the same topic; recall is
 * the share of its topic that is in the same group. Both are averaged over all texts.
 */
export function bCubed(groups: readonly unknown[], topics: readonly unknown[]) {
  let precision = 0
  let recall = 0
  for (const [i, group] of groups.entries()) {
    let inGroup = 0
    let inTopic = 0
    let inBoth = 0
    for (const [j, other] of groups.entries()) {
      const sameTopic = topics[i] === topics[j]
      if (group === other) inGroup++
      if (sameTopic) inTopic++
      if (group === other && sameTopic) inBoth++
    }
    precision += inBoth / inGroup / groups.length
    recall += inBoth / inTopic / groups.length
  }
  return { precision, recall, f1: (2 * precision * recall) / (precision + recall || 1) }
}
