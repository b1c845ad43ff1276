import type { Priority } from '../../work-orders/index.ts'
import type { ThemeType } from '../themes/theme.ts'

/** A sentence or matter with the terms that the glossary found in it. */
export interface Said {
  text: string
  terms: readonly string[]
}

const has = (said: Said, ...terms: string[]) => terms.some((term) => said.terms.includes(term))

/** In the languages that the glossary knows. Latin words only, so a plain `\b` is enough except before accents. */
const ASKS_FOR =
  /\b((please|pls|could you|can you|you should|we('d| would)? need you to) (add|support|offer|implement|include|introduce|allow|let|make|give|bring|show)|please let|(it )?would (be )?(really |very |so )?(great|nice|good|helpful|cool|useful|handy|save|help)|(i|we)('d| would) (love|like|want)|feature request|i wish|wish(es|list)?|any plans|is there a plan|needs? (a|an) (option|way|button|setting)|option (to|for)|support for|allow us|let (us|me)|i want (to|a)|we want|i need|we need|missing feature|bitte (ein|um|eine)|wäre|wünsch\w+|möchte|könnte(t|n)? (ihr|sie|man)|soll(te)? .*(können|nicht)|por favor|sería|me gustaría|quisiera|j'aimerais|on aimerait|serait|souhait\w+|vorrei|sarebbe|mi piacerebbe|gostaria|seria|graag|zou (fijn|handig|mooi)|toevoegen|proszę|chciał\w*|przydał\w*|byłoby)|ほしい|欲しい|してください|お願い/i
const ASKS =
  /[?？]\s*$|^\s*(how|where|(can|could|may|should) (i|we|you)|is (it|there)|are there|wie|wo|wann|kann|gibt es|cómo|dónde|cuándo|se puede|hay|comment|où|quand|est-ce|peut-on|come|dove|quando|si può|como|onde|hoe|waar|wanneer|kan|jak|gdzie|kiedy|czy)\b|\b(how (do|can|to)|i'?d like to know|wondering)\b|ですか/i
const FAILS =
  /\b(bugs?|errors?|crash\w*|broken|broke|fail(s|ed|ing|ure)?|(does ?n[o']?t|does not|do ?n[o']?t|did ?n[o']?t|did not|is ?n[o']?t|is not|are ?n[o']?t|was ?n[o']?t|has ?n[o']?t|have ?n[o']?t|not|never|stopped|wo ?n'?t|will not|ca ?n'?t|cannot|can not|could ?n[o']?t|unable to|no longer|nobody can|keeps|got no|getting no|there is no|there's no|have no) \w+|declin\w+|reject(s|ed)?|refus(e|es|ed)|wrong|incorrect\w*|stuck|freez\w+|frozen|invalid|problem\w*|issues?|defect\w*|damaged|jammed|drains?|404|429|500|timeouts?|nicht|kein\w*|kaputt|geht nicht|funktioniert|no (funciona|puedo|pueden|llega|carga|abre|aparece|muestra\w*|recib\w+|hay|coincide)|ne \w+ (pas|plus)|n'\w+ (pas|plus)|impossible|non (funziona|riesco|arriva|si|ricevo|posso)|imposs?ibile|não|niet|nie|werkt niet)\b|ません|できない|ない$/i
/** An order to the product, or a thing with "please". */
const WANTS =
  /^(please |pls |bitte )?(add|sort|combine|split|filter|show|hide|remove|support|allow|round|track|make|give|move|select|import|export|print|send|offer|enable|let|upload|translate|edit|change|set|link|include|use|bring|put|group|merge|buy|display|automatic\w*|more|own|mehr|eigene)\b|\b(please|pls|bitte|svp|per favore)[\s.!]*$|\b(ermöglichen|anbieten|permettere|permitir|should be|ought to|instead of)\b/i
const GOES_WRONG =
  /\b(without|silently|dropped|skipped|loops?|shifted|off by|although|even though|obwohl|aunque|alors que|bien que|at all|no \w+ at all|nothing happens|keeps \w+ing|by itself|again and again|instead|resets?|drains?|covers|differs?|twice|lands?|goes out|fehlt|fehlen|stops?|still|moved by|logs? me out|sign in again|noch|immer wieder|se para|solo si|coupée?|cuts off|cut off)\b/i
const COULD_BE_BETTER =
  /\b(confus\w+|hard to|difficult|easier|better|improve\w*|annoying|too (many|few|small|big|high|low)|unclear|clunky|a pain|not ok|unfair|expensive|umständlich|unübersichtlich|verwirrend|complicado|compliqué|complicato|lastig)\b/i

const FAULTS = [
  'crash',
  'error',
  'bug',
  'lost',
  'wrong',
  'late',
  'stuck',
  'expir',
  'doubl',
  'miss',
  'empti',
  'black screen',
  'cut off',
  'logout',
]

/** Guesses the type of a matter from what its writer asks for. */
export function typeOf(said: Said): ThemeType {
  const { text } = said
  if (has(said, 'slow') || /\btim(es|ed) out\b|\btakes? \d+ (sec|min)/i.test(text)) return 'performance'
  const isHarm = harmOf(said) !== undefined
  const fails = isHarm || has(said, ...FAULTS) || FAILS.test(text) || GOES_WRONG.test(text)
  if (ASKS.test(text) && !isHarm && !/^\s*why\b/i.test(text)) {
    if (ASKS_FOR.test(text)) return 'feature_request'
    if (!has(said, 'crash', 'error', 'bug', 'stuck', 'wrong') || /\bhow (do|can|to)\b/i.test(text)) return 'question'
  }
  if (ASKS_FOR.test(text) && !isHarm && !/\b(fix|help|refund|money back)\b/i.test(text)) return 'feature_request'
  if (COULD_BE_BETTER.test(text) && !has(said, ...FAULTS)) return 'improvement'
  if (WANTS.test(text) && !has(said, ...FAULTS)) return 'feature_request'
  if (fails) return 'bug'
  return 'other'
}

type Harm = 'privacy' | 'outage' | 'safety' | 'loss' | 'money' | 'locked out' | 'crash'

const EVERYONE =
  /\b(nobody|no ?one|whole (team|company)|every(one|body)|all (our|my|of our) (users|customers|clients|orders)|losing (orders|sales|customers|money)|down for|outage|niemand|alle kunden|nadie|personne|nessuno|ninguém)\b/i
const STRANGERS =
  /\b(some(one|body) else'?s?|other (people|person|users?|customers?|clients?|compan(y|ies))('s|s')?|another (person|user|customer|client|company|account)('s)?|strangers?|people i don'?t know|each other'?s|not (mine|ours)|leak(s|ed)?|exposed|fremde\w*|fremder)\b/i
const SEES =
  /\b(see|sees|saw|seeing|show|shows|showed|visible|access|appear\w*|opened|got|find|found|have|has|are|in my|sieht|sehe|sehen|ve|veo|voit|vois|vede|vedo)\b/i
const SECRET =
  /\b(confidential|private data|personal data|salar(y|ies)|hourly rates?|passwords? in|shouldn'?t (see|have access)|data protection|gdpr)\b/i
const HACKED =
  /\b(hacked|breach|security (hole|issue|problem|vulnerability)|vulnerab\w+|unauthori[sz]ed|stolen|phishing|fraud\w*|did ?n'?t authori[sz]e)\b/i
const DANGER = /\b(dangerous|accident|injur\w+|gefährlich|peligros\w+|dangereux|pericolos\w+|perigos\w+|gevaarlijk)\b/i
const WORK =
  /\b(all|everything|entire|whole|data|work|hours?|days?|weeks?|albums?|photos?|pictures?|files?|entries|texts?|descriptions?|documents?|drafts?|repl(y|ies)|notes?|history|projects?|recordings?|runs?|alles|alle|todo|todos|tout|toutes|tous|tutto|tutti|tudo|alles|wszystk\w+)\b/i
const MONEY = ['charg', 'pay', 'payout', 'invoic', 'refund', 'bank', 'card']

/** What is at stake for the customer, the worst first. */
function harmOf(said: Said): Harm | undefined {
  const { text } = said
  if ((STRANGERS.test(text) || has(said, 'stranger')) && (SEES.test(text) || has(said, 'stranger'))) return 'privacy'
  if (HACKED.test(text) || (SECRET.test(text) && SEES.test(text))) return 'privacy'
  if (DANGER.test(text)) return 'safety'
  if (EVERYONE.test(text) && (FAILS.test(text) || has(said, 'crash', 'error', 'login'))) return 'outage'
  const isLost =
    has(said, 'lost') || (has(said, 'delet') && /\b(were|was|got|gelöscht|deleted itself|deletes)\b/i.test(text))
  if (isLost && (WORK.test(text) || has(said, 'draft', 'album', 'photo', 'entri', 'file', 'note', 'product')))
    return 'loss'
  const isOff =
    has(said, 'doubl', 'wrong', 'refund', 'late') ||
    /\b(still|without asking|never agreed|although|obwohl|not? (arriv\w+|received))\b/i.test(text)
  if (
    (has(said, ...MONEY) && isOff && (has(said, 'charg', 'payout', 'refund') || has(said, 'doubl'))) ||
    has(said, 'payout')
  )
    return 'money'
  if (/\blocked out\b/i.test(text) || (has(said, 'login', 'verif') && FAILS.test(text))) return 'locked out'
  if (has(said, 'crash')) return 'crash'
  return undefined
}

const CALM = /\b(minor|small thing|nice to have|typo|cosmetic|not urgent|whenever|no hurry)\b/i
const PRESSING = /\b(urgent(ly)?|asap|immediately|emergency|critical|unusable|dringend|sofort|urgente|urgent|pilne)\b/i

/** From the harm: loss of privacy, data and money first. */
export function priorityOf(said: Said, type: ThemeType): Priority {
  const harm = harmOf(said)
  if (harm === 'privacy' || harm === 'outage' || harm === 'safety') return 'urgent'
  if (harm === 'loss') return type === 'question' ? 'medium' : 'urgent'
  if (harm !== undefined) return type === 'question' ? 'medium' : 'high'
  if (CALM.test(said.text)) return 'low'
  if (PRESSING.test(said.text)) return 'high'
  return type === 'bug' || type === 'performance' ? 'medium' : 'low'
}

const SELLS: RegExp[] = [
  /\bseo\b|rank(ing|ed)?\b.*\bgoogle|first page of google|back ?links?|do-?follow|guest (post|blog\w*|author)/i,
  /\b(followers|subscribers|installs|leads|traffic|reviews)\b.*(\$|€|usd|price|cheap|guarantee|days|interested)/i,
  /\bcasino|betting|slots?\b.*bonus|bonus\b.*\d|bitcoin|crypto|forex|viagra|\bloans?\b.*\d|lottery|inheritance|widow/i,
  /\b(earn|make) (up to )?[$€£]?\d[\d.,]*k?\b|work from home|no experience needed|get rich|reich mit|gana dinero/i,
  /\b(our|my) (agency|company|experts?|factory)\b|\bwe are (a |the )?(leading|professional)|\bmanufacturer\b|\bmoq\b|web ?design/i,
  /\b(free audit|send you (a|our) (quote|proposal|catalogue)|catalogue|price list|reply (yes|for)|contact us on|hop on a call|what is your price|interested\?|best price|jetzt anmelden)/i,
  /\b(bit\.ly|t\.me|wa\.me)\/|telegram @|whatsapp \+?\d|https?:\/\/\S+|www\.\S+/i,
  /\b(guaranteed|100%|click (here|now|bit)|act now|limited offer|dear (sir|business owner|webmaster)|million (usd|dollars|euros?)|transfer\b.*\bfunds)/i,
]

/** True if the writer wants to sell something instead. One such sign alone proves nothing. */
export const isAdvertising = (text: string) => SELLS.filter((sign) => sign.test(text)).length >= 2

const PRAISE =
  /\b(love[sd]?|great|awesome|amazing|fantastic|excellent|perfect|brilliant|best|thanks?|thank you|thx|cheers|well done|good job|keep (it|going)|happy|recommend\w*|solid|super|toll|klasse|einfach top|gut|weiter so|danke|dankeschön|zufrieden|gracias|genial|excelente|buen[ao]?|encanta|merci|bravo|bien|génial|parfait|grazie|ottim[oa]|bellissim[oa]|fantastic[oa]|obrigad[oa]|ótim[oa]|adoro|bedankt|dank|geweldig|goed|mooi|dzięki|dziękuję|świetn\w+|polecam)\b|ありがとう|最高|素晴らしい|❤|<3|👍|👏|🎉|🔥/iu

export const isPraise = (text: string) => PRAISE.test(text)
export const hasCue = (said: Said) => typeOf(said) !== 'other'
