/**
 * Measures how well groups match topics. Precision is the share of a text's group that has the same topic; recall is
 * the share of its topic that is in the same group. Both are averaged over all texts. A text may be in several groups
 * and have several topics (extended B-cubed, Amigó et al. 2009).
 */
export function bCubed(groups, topics) {
  const count = groups.length
  let precision = 0
  let recall = 0
  for (let i = 0; i < count; i++) {
    let inGroup = 0
    let inTopic = 0
    let precise = 0
    let recalled = 0
    for (let j = 0; j < count; j++) {
      const groupsShared = shared(groups[i], groups[j])
      const topicsShared = shared(topics[i], topics[j])
      const both = Math.min(groupsShared, topicsShared)
      if (groupsShared > 0) {
        inGroup++
        precise += both / groupsShared
      }
      if (topicsShared > 0) {
        inTopic++
        recalled += both / topicsShared
      }
    }
    precision += precise / inGroup / count
    recall += recalled / inTopic / count
  }
  return { precision, recall, f1: (2 * precision * recall) / (precision + recall || 1) }
}

function shared(a, b) {
  let count = 0
  for (const one of a) if (b.has(one)) count++
  return count
}
