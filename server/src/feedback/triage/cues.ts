import type { Priority } from '../../work-orders/index.ts'
import type { ThemeType } from '../themes/theme.ts'

/** The first match wins. */
const TYPES: [ThemeType, RegExp][] = [
  [
    'performance',
    /\b(slow(er|ly)?|sluggish|lag(s|gy|ging)?|laggs?|takes? (forever|ages|(so|too) long)|taking (forever|ages|(so|too) long)|time(s|d)? ?outs?|performance|(long|slow) load(ing)?|loading forever)\b/i,
  ],
  [
    'feature_request',
    /\b((please|could you|can you|you should) (add|support|offer|implement|include|introduce)|would (be (great|nice|good|helpful|cool)|love|like to see)|feature request|i wish|any plans|is there a plan|it'?d be (great|nice)|needs? (a|an) (option|way|button|setting)|option (to|for)|support for|allow us|let us)\b/i,
  ],
  [
    'bug',
    /\b(bugs?|errors?|crash(es|ed|ing)?|broken|broke|fail(s|ed|ing|ure)?|(does ?n[o']?t|does not|do ?n[o']?t|did ?n[o']?t|did not|is ?n[o']?t|is not|not|never|stopped|wo ?n'?t|will not|ca ?n'?t|cannot|can not|unable to) (work|load|open|show|arriv|receiv|get|got|log|sign|save|send|sent|accept|go through|start|respond|turn|come|came|appear|update|pay|find|see|access)\w*|declin(e|es|ed|ing)|reject(s|ed)?|refus(e|es|ed)|wrong|incorrect(ly)?|missing|stuck|freez(e|es|ing)|frozen|twice|duplicat(e|es|ed)|lost|blank|empty|invalid|problem|issue|defect(ive)?|damaged)\b/i,
  ],
  [
    'improvement',
    /\b(confus(ing|ed)|hard to|difficult|easier|better|improve(d|ment)?|annoying|too many|unclear|clunky|instead of)\b/i,
  ],
  [
    'question',
    /\?\s*$|^\s*(how|where|what|when|why|which|who|can|could|do|does|is|are|may|will|should)\b|\b(how (do|can|to)|i'?d like to know|wondering)\b/i,
  ],
]

/** Guesses the type of a theme from the usual words for it. */
export const typeOf = (text: string): ThemeType => TYPES.find(([, cue]) => cue.test(text))?.[0] ?? 'other'

const URGENT =
  /\b(urgent(ly)?|asap|immediately|right (now|away)|emergency|critical|stolen|hacked|fraud(ulent)?|security|breach|data loss|lost (all|everything)|outage|down for everyone|unauthori[sz]ed|did(n'?t| not) (make|authori[sz]e))\b/i
const HIGH =
  /\b(crash(es|ed|ing)?|can ?not|ca ?n'?t (log|sign|pay|access|use)\w*|unable to|locked out|blocked|unusable|charged (twice|double)|overcharged|never (arrived|received)|still waiting|unacceptable|terrible|angry|cancel my|all (our|my) (users|customers))\b/i
const LOW =
  /\b(minor|small thing|nice to have|typo|cosmetic|would be (nice|cool|great)|not urgent|whenever|suggestion)\b/i

export function priorityOf(text: string, type: ThemeType): Priority {
  if (URGENT.test(text)) return 'urgent'
  if (HIGH.test(text)) return 'high'
  if (LOW.test(text)) return 'low'
  return type === 'bug' || type === 'performance' ? 'medium' : 'low'
}
