import { sentencesOf } from '../../engines/meaning/words.ts'

/** A part of a text, and whether the writer says that something new begins. */
interface Sentence {
  text: string
  startsMatter: boolean
}

const GREETING =
  /^(hi|hello|hey|dear|good (morning|afternoon|evening|day)|guten (tag|morgen|abend)|hallo|liebe[sr]?|sehr geehrte\w*|moin|servus|hola|buen[oa]s (días|tardes|noches)|bonjour|salut|bonsoir|ciao|buongiorno|salve|olá|oi|bom dia|boa tarde|beste|goedemorgen|dzień dobry|cześć|witam|こんにちは|お世話に)([ ,!.]|$)/iu
const CLOSING =
  /^((kind|best|warm|many)( \w+)? (regards|wishes)|best wishes|regards|cheers|sincerely|yours( \w+)?|greetings|thanks( a lot| so much)?|thank you( very much)?( in advance)?|many thanks.*|best|mit (freundlichen|besten|lieben) grüßen|(viele|liebe|beste) grüße|lg|vg|mfg|danke( schön| im voraus)?|saludos( cordiales)?|un saludo|atentamente|gracias( de antemano)?|cordialement|bien à vous|merci( d'avance| beaucoup)?|cordiali saluti|saluti|grazie( mille)?|atenciosamente|abraços|obrigad[oa]|met vriendelijke groet(en)?|groet(jes|en)?|bedankt|pozdrawiam|z poważaniem|よろしくお願いします|sent from my .*|von meinem .* gesendet)(?:[\s,.!]*|[,!]\s*[\p{L}.& ]{1,40})$/iu
const PLEASANTRY =
  /\b(hope (this|you|all|everyone|it)|hope you('re| are)|looking forward|thanks? (you )?(for|in advance|a lot)|many thanks|have a (nice|great|good)|i hope|as promised|keep up|kind regards|in advance|long[- ]time (user|customer)|great (work|job|app|product|tool)|love (the|your|this)|recommend|im großen und ganzen|vielen dank|im voraus|espero que|gracias por|merci (pour|d'avance)|j'espère|grazie (per|in anticipo)|spero)\b/i
const SINCE_WHEN = /^((i|we)('ve| have)? )?been (using|with|a )/i
const NEXT =
  /^(also|and also|besides|another (thing|issue|point|problem|wish|request)|in addition|additionally|furthermore|moreover|apart from that|first(ly)?(?=[,:])|second(ly)?(?=[,:])|third(ly)?(?=[,:])|lastly|finally(?=[,:])|on top of that|one more thing|plus|and (?=the|then|a)|by the way|btw|außerdem|zudem|ferner|noch (etwas|was)|erstens|zweitens|drittens|además|también|por otra parte|primero|segundo|en plus|de plus|aussi|par ailleurs|d'abord|ensuite|inoltre|anche|poi|além disso|também|daarnaast|ook|verder|poza tym|dodatkowo|また|それから)\b[\s,:]*/iu
const JOINED =
  /[,;]?\s+and (?=(?:also|then how|another|besides|please|allow|add|let|make|give|show|support|offer|a (?:warning|way|second))\b)/i
const LISTED = /^\s*(?:[-*•–]|\(?\d{1,2}[.)])\s+(?=\S)/
const QUOTED = /^\s*>|^on .{5,60} wrote:$|^am .{5,60} schrieb .*:$|^-{2,}\s*$|^_{5,}/i
const LEAD_IN =
  /\b(things?|points?|wishes|issues|problems|ideas|list|dinge|punkte|cosas|choses|cose)\b[^.?!]{0,40}[:.]?$/i
/** A report this short is about one thing. */
const SHORT = 110
const MOST_MATTERS = 5

/**
 * Splits a text into what it asks for or complains about. A mail with three requests becomes three matters; greetings,
 * politeness and signatures are left out. `speaks` tells whether a sentence says what is wrong or wanted.
 */
export function mattersOf(text: string, speaks: (sentence: string) => boolean): string[] {
  const sentences = readSentences(text)
  if (sentences.length === 0) return []
  const isList = sentences.length > 1 && sentences.some((one) => one.startsMatter)
  const whole = sentences.map((one) => one.text).join(' ')
  if (!isList && whole.length <= SHORT) return [whole]
  const matters: { text: string; speaks: boolean }[] = []
  for (const { text: sentence, startsMatter } of sentences) {
    const says = (startsMatter && isList) || speaks(sentence)
    const last = matters.at(-1)
    if (!last || (startsMatter && says)) matters.push({ text: sentence, speaks: says })
    else if (!last.speaks && says) {
      // What came before only led up to this.
      last.text = sentence
      last.speaks = true
    } else if (says || last.text.length < SHORT) last.text = `${last.text} ${sentence}`
  }
  const telling = matters.filter((one) => one.speaks)
  return (telling.length > 0 ? telling : matters.slice(0, 1)).slice(0, MOST_MATTERS).map((one) => one.text)
}

function readSentences(text: string): Sentence[] {
  const found: Sentence[] = []
  for (const line of text.split(/\r?\n/)) {
    if (QUOTED.test(line)) {
      if (/^-{2,}\s*$/.test(line)) break
      continue
    }
    const isListed = LISTED.test(line)
    for (const [index, sentence] of sentencesOf(line.replace(LISTED, '')).entries())
      for (const [part, piece] of sentence.split(JOINED).entries()) {
        const bare = piece.replace(GREETING_START, '').trim()
        // The signature follows the closing.
        if (found.length > 0 && CLOSING.test(bare)) return found
        if (bare === '' || GREETING_ONLY.test(bare) || CLOSING.test(bare)) continue
        const isNext = NEXT.test(bare)
        const rest = bare.replace(NEXT, '')
        if (isPleasantry(rest) || (found.length > 0 && LEAD_IN.test(rest) && rest.split(/\s+/).length < 9)) continue
        found.push({ text: rest, startsMatter: part > 0 || isNext || (isListed && index === 0) })
      }
  }
  return found
}

const GREETING_START = new RegExp(`(?:${GREETING.source})(?:[\\p{L} ]{0,20}[,!.]\\s*)?`, 'iu')
const GREETING_ONLY = new RegExp(`(?:${GREETING.source})[\\p{L}. ]{0,20}[,!.]?$`, 'iu')

/** A kind sentence that says nothing else. */
const isPleasantry = (sentence: string) =>
  (PLEASANTRY.test(sentence) || SINCE_WHEN.test(sentence)) &&
  !/\b(but|however|not|n't|aber|nicht|pero|mais|ma|mas|maar)\b/i.test(sentence)
