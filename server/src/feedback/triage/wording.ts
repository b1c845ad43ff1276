/** As long as the quote of a link without a chosen text. */
const EXCERPT = 280
const TITLE = 70
const SHORTEST_CLAUSE = 12

/** What people put before the thing they want or miss. */
const LEAD_INS = [
  /^((hi|hello|hey|dear|hallo|hola|bonjour|ciao)\b[^,.!?]{0,20}[,.!?]\s*)+/i,
  /^(please|kindly|pls|so|well|ok(ay)?|also|and|but|anyway|just|sorry|help|then|bitte)\b[,:!]?\s+/i,
  /^(it )?(would|'d) be (really |very |so )?(great|nice|good|helpful|cool|useful|handy) (if (you|we|i) could |if |to (have|be able to|see) |having )/i,
  /^(i|we)('d| would) (really )?(love|like|want|need) (to (have|see|be able to)|it if) /i,
  /^(i|we)('d| would) (really )?(love|like) to /i,
  /^(i|we) (really )?(want|need|wish|think|hope|believe|guess)( to( be able to)?| that)? /i,
  /^(is it possible to|is there (a|any) (way|option|chance)( to)?|are there (any )?plans (for|to)|any plans (for|to)|can (i|we|you)|could you|how (do|can) (i|we)|how to|where (do|can) (i|we)|(can|could) you (please )?)( please)? /i,
  /^(i|we) (just )?(tried|try|noticed|found|see|saw|realized)( to| that)? /i,
  /^(let us|let me|allow us to|allow me to) /i,
]
const CLOSING =
  /[\s,]*(\b(please|help|thanks|thank you|thx|pls|asap|bitte|danke|svp|por favor|per favore)\b[\s,.!]*)*[.!…。]*$/i
const SINCE =
  /[\s,]+(since (yesterday|this morning|today|last \w+|\w+day|the (last )?update)|again|anymore|any more|at the moment|seit (gestern|heute))$/i
const CLAUSE =
  /[,;:(–]\s|\s-\s|\.{2,}|[.!?]\s|\b(?:because|although|even though|but|so that|which|weil|obwohl|aber|aunque|porque|parce que|mais|perché)\b/
/** Says when, not what. */
const WHEN = /^(when|if|after|since|while|as soon as|every time|wenn|seit|cuando|desde|quand|depuis|quando|als)\b/i
const SEAM =
  /\s(that|as soon as|once|until|whenever|when|sobald|after|before|for|with|without|from|and|if|while|on|in|to|wenn|und|für|mit|ohne|cuando|para|con|quand|pour|avec|per|quando|met|voor)\s/gi

/** Names a matter in a few words: what is wrong or wanted, without who says it and how. */
export function titleFrom(text: string): string {
  const plain = text
    .replace(/[*_`#>[\]"“”]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  const isQuestion = /[?？]\s*$/.test(plain)
  let title = withoutLeadIns(plain.replace(CLOSING, '').replace(/[?？]+$/, ''))
  if (title.length > TITLE) {
    const clauses = title.split(CLAUSE).map((clause) => withoutLeadIns(clause.trim()))
    const long = clauses.filter((clause) => clause.length >= SHORTEST_CLAUSE)
    title = shortened(long.find((clause) => !WHEN.test(clause)) ?? long[0] ?? title)
  }
  title = title.replace(CLOSING, '').replace(SINCE, '').trim() || cutAt(plain, TITLE)
  const shown = title.charAt(0).toUpperCase() + title.slice(1)
  return isQuestion && /^(is|are|does|do|will|why|when|what|which|who|where|how)\b/i.test(shown) ? `${shown}?` : shown
}

function withoutLeadIns(text: string): string {
  let rest = text
  for (let before = ''; before !== rest; ) {
    before = rest
    for (const leadIn of LEAD_INS) rest = rest.replace(leadIn, '')
  }
  return rest.length >= 4 ? rest : text
}

const DANGLING =
  /(\s(a|an|the|my|our|of|to|and|or|in|on|with|der|die|das|ein|eine|und|la|el|los|las|en|de|y|le|les|des|et|il|lo|di|e|o|um|het|een|van))+$/i

/** Ends the text where a part of it ends, not in the middle of a thought. */
function shortened(text: string): string {
  if (text.length <= TITLE) return text
  let end = 0
  for (const seam of text.matchAll(SEAM)) if (seam.index <= TITLE && seam.index >= TITLE / 3) end = seam.index
  return (end > 0 ? text.slice(0, end) : cutAt(text, TITLE).replace('…', '')).replace(DANGLING, '')
}

export const excerptFrom = (text: string) => cutAt(text.trim(), EXCERPT)

/** Cuts at the end of a word. */
function cutAt(text: string, length: number): string {
  const symbols = [...text]
  if (symbols.length <= length) return text.toWellFormed()
  const start = symbols.slice(0, length - 1).join('')
  const space = start.lastIndexOf(' ')
  return `${(space > length / 2 ? start.slice(0, space) : start).replace(/[,;:\s]+$/, '')}…`.toWellFormed()
}

const listed = (words: readonly string[]) => words.map((word) => `*${word}*`).join(', ')
const scored = (score: number) => `Score ${score.toFixed(2)}.`

/** Why an item is in a theme. It names no theme, so it stays true when the theme is renamed or merged. */
export const joinedBecause = (shared: readonly string[], score: number) =>
  shared.length > 0
    ? `It shares ${listed(shared)} with what is there. ${scored(score)}`
    : `It means much the same as what is there, in other words. ${scored(score)}`

export const openedBecause = (score: number) =>
  score === 0 ? 'Nothing like it was reported before.' : `Nothing near enough was reported before. ${scored(score)}`

export const NOT_FEEDBACK = 'It looks like advertising, so no theme was opened for it.'
export const NOT_SORTED = 'It names nothing to work on, such as praise or a greeting, so no theme was opened for it.'
export const LIKE_SET_ASIDE = 'It is much like what was set aside by hand, so no theme was opened for it.'

/** The terms as the text writes them. */
export const writtenAs = (terms: readonly string[], text: { terms: readonly string[]; forms: readonly string[] }) =>
  terms.map((term) => text.forms[text.terms.indexOf(term)] ?? term)

export const alikeBecause = (likeness: number) => `Their reports are alike, on average by ${likeness.toFixed(2)}.`
export const unlikeBecause = () => 'Its reports are about different things.'
