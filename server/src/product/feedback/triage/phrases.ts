/**
 * How customers write, in the languages that the glossary knows: what tells a wish from a fault, and what surrounds
 * both. Nothing but data. Latin words only, so a plain `\b` is enough except before accents. Entries in quotes are terms
 * of the glossary.
 */

// What is asked, and what is at stake: see `cues.ts`.
export const ASKS_FOR =
  /\b((please|pls|could you|can you|you should|we('d| would)? need you to) (add|support|offer|implement|include|introduce|allow|let|make|give|bring|show)|please let|would it be possible|(it )?would (be )?(really |very |so )?(great|nice|good|helpful|cool|useful|handy|save|help)|(i|we)('d| would) (love|like|want)|feature request|i wish|wish(es|list)?|any plans|is there a plan|needs? (a|an) (option|way|button|setting)|option (to|for)|support for|allow us|(?<=^|[.,!?;:] |please |pls |and )let (us|me)|i want (to|a)|we want|i need|we need|missing feature|bitte (ein|um|eine)|wäre|wünsch\w+|möchte|könnte(t|n)? (ihr|sie|man)|soll(te|en|ten)? .*(können|nicht)|fehl(t|en) (mir|uns)\b|por favor|sería|me gustaría|quisiera|j'aimerais|on aimerait|serait|souhait\w+|vorrei|sarebbe|mi piacerebbe|gostaria|seria|graag|zou (fijn|handig|mooi)|toevoegen|proszę|chciał\w*|przydał\w*|byłoby)|ほしい|欲しい|してください|お願い/i
export const ASKS =
  /[?？]\s*$|^[^.!?]*[?？]\s|^\s*(how|where|(can|could|may|should) (i|we|you)|is (it|there)|are there|wie|wo|wann|kann|gibt es|cómo|dónde|cuándo|se puede|hay|comment|où|quand|est-ce|peut-on|come|dove|quando|si può|como|onde|hoe|waar|wanneer|kan|jak|gdzie|kiedy|czy)\b|\b(how (do|can|to)|i'?d like to know|wondering)\b|ですか/i
export const FAILS =
  /\b(bugs?|errors?|crash\w*|broken|broke|fail(s|ed|ing|ure)?|(does ?n[o']?t|does not|do ?n[o']?t|did ?n[o']?t|did not|is ?n[o']?t|is not|are ?n[o']?t|was ?n[o']?t|has ?n[o']?t|have ?n[o']?t|not|never|stopped|wo ?n'?t|will not|ca ?n'?t|cannot|can not|could ?n[o']?t|unable to|no longer|nobody can|keeps|got no|getting no|there is no|there's no|have no|has no) \w+|declin\w+|reject(s|ed)?|refus(e|es|ed)|wrong|incorrect\w*|stuck|unusable|freez\w+|frozen|invalid|problem\w*|issues?|defect\w*|damaged|jammed|drains?|404|429|500|timeouts?|nicht|nichts|kein\w*|kaputt|geht nicht|funktioniert|no (funciona|puedo|pueden|llega|carga|abre|aparece|muestra\w*|recib\w+|hay|coincide)|ne \w+ (pas|plus)|n'\w+ (pas|plus)|impossible|non (funziona|riesco|arriva|si|ricevo|posso)|imposs?ibile|não|niet|nie|werkt niet)\b|ません|できない|ない$/i
/** An order to the product. */
export const WANTS =
  /^(please |pls |bitte )?(add|sort|combine|split|filter|show|hide|remove|support|allow|round|track|make|give|move|select|import|export|print|send|offer|enable|let|upload|translate|edit|change|set|link|include|use|bring|put|group|merge|buy|display|automatic\w*|more|own|mehr|eigene|push|post|copy|duplicate|warn|notify|remind|remember|sync|lock|mark|save|connect)\b|\b(ermöglichen|anbieten|permettere|permitir|should (?!have|not)|ought to|instead of)\b/i
/** Asks for something, if it does not complain. */
export const PLEASE = /\b(please|pls|bitte|svp|por favor|per favore)\b(?! ignore)/i
export const GOES_WRONG =
  /\b(loses?|losing|disconnect(s|ed|ing)?|verliert|verlieren|pierde|perd|perde|without|silently|dropped|skipped|loops?|shifted|off by|(sent|thrown|kicked|snaps?|jumps?) back|by (one|an?) (day|hour)|(days?|hours?) (early|earlier|later)|although|even though|obwohl|aunque|alors que|bien que|at all|no \w+ at all|\w+s nothing|nothing happens|(please|pls) (fix|correct|repair)|keeps \w+ing|by itself|again and again|instead|resets?|drains?|covers|differs?|twice|lands?|goes out|fehlt|fehlen|stops?|still|moved by|logs? me out|sign in again|noch|immer wieder|se para|solo si|coupée?|cuts off|cut off)\b/i
export const COULD_BE_BETTER =
  /\b(confus\w+|hard to|difficult|easier|better|improve\w*|annoying|too (many|few|small|big|high|low)|unclear|clunky|a pain|not ok|unfair|expensive|umständlich|unübersichtlich|verwirrend|complicado|compliqué|complicato|lastig)\b/i
export const FAULTS = [
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
export const EVERYONE =
  /\b(nobody|no ?one|whole (team|company)|every(one|body)|all (our|my|of our) (users|customers|clients|orders)|losing (orders|sales|customers|money)|down for|outage|niemand|alle kunden|nadie|personne|nessuno|ninguém)\b/i
export const STRANGERS =
  /\b(some(one|body) else'?s?|other (people|person|users?|customers?|clients?|compan(y|ies))('s|s')?|another (person|user|customer|client|company|account|tenant|member|patient|student|guest|employee|team)('s)?|(of|from) (his|her|their|a|my) neighbou?r|strangers?|people i don'?t know|some(one|body) (called|named)|whose (data|account)|each other'?s|not (mine|ours)|leak(s|ed)?|exposed|fremde\w*|nachbar(i?n)?)\b/i
export const SEES =
  /\b(see|sees|saw|seeing|reads?|visible|access|sieht|sehe|sehen|ve|ven|veo|voit|voient|vois|vede|vedo|vejo|ziet|zie|widz\w*)\b/i
/** Says it of what belongs to strangers, and nothing of what is merely secret. */
export const COMES_UPON = /\b(open|opens|show|shows|showed|appear\w*|opened|got|find|found|have|has|are|in my)\b/i
export const SECRET =
  /\b(confidential|private data|personal data|salar(y|ies)|(hourly|daily|day) rates?|passwords? in|shouldn'?t (see|have access))\b/i
export const HACKED =
  /^security:|\b(hacked|breach|security (hole|issue|problem|vulnerability)|vulnerab\w+|unauthori[sz]ed|stolen|phishing|fraud\w*|did ?n'?t authori[sz]e)\b/i
export const DANGER =
  /\b(dangerous|(?<!\bby (an )?)accident|injur\w+|gefährlich|peligros\w+|dangereux|pericolos\w+|perigos\w+|gevaarlijk)\b/i
export const WORK =
  /\b(all|everything|entire|whole|data|work|hours?|days?|weeks?|albums?|photos?|pictures?|files?|entries|texts?|descriptions?|documents?|drafts?|repl(y|ies)|notes?|history|projects?|recordings?|runs?|alles|alle|todo|todos|tout|toutes|tous|tutto|tutti|tudo|alles|wszystk\w+)\b/i
/** Something else than the writer deleted it. */
export const DELETED =
  /\b(were|was|got|gelöscht|borrad[oa]s?|supprim\w*|effac\w*|cancellat[aeio]|apagad[oa]s?|verwijderd|usunięte?|deleted itself|deletes|(update|version|app|sync|import|server|it|you|they) (has |have |just )?(deleted|wiped|erased|removed))\b/i
export const MONEY = ['charg', 'pay', 'payout', 'invoic', 'refund', 'bank', 'card']
/** Says something of a thing, and does not only name it. */
export const STATES =
  /\b(is|are|was|has|shows?|ist|sind|hat|zeigt|es|está|son|muestra|est|sont|affiche|è|sono|mostra|é|são|toont|jest|są)\b/i
export const CALM = /\b(minor|small thing|nice to have|typo|cosmetic|not urgent|whenever|no hurry)\b/i
export const PRESSING = /\b(urgent(ly)?|asap|immediately|emergency|critical|dringend|sofort|urgente|urgent|pilne)\b/i
export const SELLS: RegExp[] = [
  /\bseo\b|rank(ing|ed)?\b.*\bgoogle|first page of google|back ?links?|do-?follow|guest (post|blog\w*|author)/i,
  /\b(followers|subscribers|installs|leads|traffic|reviews)\b.*(\$|€|usd|price|cheap|guarantee|days|interested)/i,
  /\bcasino|betting|slots?\b.*bonus|bonus\b.*\d|bitcoin|crypto|forex|viagra|\bloans?\b.*\d|lottery|inheritance|widow/i,
  /\b(earn|make) (up to )?[$€£]?\d[\d.,]*k?\b|work from home|no experience needed|get rich|reich mit|gana dinero/i,
  /\b(our|my) (\w+ )?(agency|company|experts?|factory) (offers?|provides?|helps?|can|speciali[sz]es?|has helped)\b|\bwe are (a |the )?(leading|professional)|\bmanufacturer\b|\bmoq\b|web ?design/i,
  /\b(free audit|send you (a|our) (quote|proposal|catalogue)|(our|my|see) (catalogue|price list)|reply (yes|for)|contact us on|hop on a call|what is your price|interested\?|best price|jetzt anmelden)/i,
  /\b(buy|get|gain) (\w+ )?(followers|likes|subscribers|installs)|\b(congratulations|been selected|you (have )?won|claim (your|the) (prize|reward|gift|bonus|award|voucher|money))\b/i,
  /\b(bit\.ly|t\.me|wa\.me)\/|telegram @|whatsapp \+?\d|https?:\/\/\S+|www\.\S+/i,
  /\b(guaranteed|100%|click (here|now|bit)|act now|limited offer|dear (sir|business owner|webmaster)|million (usd|dollars|euros?)|transfer\b.*\bfunds)/i,
]
export const PRAISE =
  /\b(love[sd]?|great|awesome|amazing|fantastic|excellent|perfect|brilliant|best|thanks?|thank you|thx|cheers|well done|good job|keep (it|going)|happy|recommend\w*|solid|congrat\w*|so far so good|does what it (says|should)|super|toll|klasse|einfach top|gut|weiter so|danke|dankeschön|zufrieden|gracias|genial|excelente|buen[ao]?|encanta|merci|bravo|bien|génial|parfait|grazie|ottim[oa]|bellissim[oa]|fantastic[oa]|obrigad[oa]|ótim[oa]|adoro|bedankt|dank|geweldig|goed|mooi|dzięki|dziękuję|świetn\w+|polecam)\b|ありがとう|最高|素晴らしい|❤|<3|👍|👏|🎉|🔥/iu

// What surrounds a matter in a mail: see `matters.ts`.
export const GREETING =
  /^(hi|hello|hey|dear|good (morning|afternoon|evening|day)|guten (tag|morgen|abend)|hallo|liebe[sr]?|sehr geehrte\w*|moin|servus|hola|buen[oa]s (días|tardes|noches)|bonjour|salut|bonsoir|ciao|buongiorno|salve|olá|oi|bom dia|boa tarde|beste|goedemorgen|dzień dobry|cześć|witam|こんにちは|お世話に)([ ,!.]|$)([\p{L} ]{0,20}[,!.]\s*)?/iu
export const CLOSING =
  /^((kind|best|warm|many)( \w+)? (regards|wishes)|best wishes|regards|cheers|sincerely|yours( \w+)?|greetings|thanks( a lot| so much)?|thank you( very much)?( in advance)?|(many )?(thanks|thank you),? (and|&|with) .*|many thanks.*|best|mit (freundlichen|besten|lieben) grüßen|(viele|liebe|beste) grüße|lg|vg|mfg|danke( schön| im voraus)?|saludos( cordiales)?|un saludo|atentamente|gracias( de antemano)?|cordialement|bien à vous|merci( d'avance| beaucoup)?|cordiali saluti|saluti|grazie( mille)?|atenciosamente|abraços|obrigad[oa]|met vriendelijke groet(en)?|groet(jes|en)?|bedankt|pozdrawiam|z poważaniem|よろしくお願いします|sent from my .*|von meinem .* gesendet)(?:[\s,.!]*|[,!]\s*[\p{L}.& ]{1,40})$/iu
export const PLEASANTRY =
  /\b(hope (this|you|all|everyone|it)|hope you('re| are)|looking forward|thanks? (you )?(for|in advance|a lot)|many thanks|have a (nice|great|good)|i hope|as promised|keep up|kind regards|in advance|long[- ]time (user|customer)|great (work|job|app|product|tool)|love (the|your|this)|recommend|im großen und ganzen|vielen dank|im voraus|espero que|gracias por|merci (pour|d'avance)|j'espère|grazie (per|in anticipo)|spero)\b/i
export const NEXT =
  /^(also|and also|besides|another (thing|issue|point|problem|wish|request)|in addition|additionally|furthermore|moreover|apart from that|first(ly)?(?=[,:])|second(ly)?(?=[,:])|third(ly)?(?=[,:])|(and )?(lastly|finally)|on top of that|one more thing|plus|and (?=the|then|a)|by the way|btw|außerdem|zudem|ferner|noch (etwas|was)|erstens|zweitens|drittens|además|también|por otra parte|primero|segundo|en plus|de plus|aussi|par ailleurs|d'abord|ensuite|inoltre|anche|poi|além disso|também|daarnaast|ook|verder|poza tym|dodatkowo|また|それから)\b[\s,:]*/iu
/** Says that a list follows. */
export const ANNOUNCES =
  /\b(two|three|four|some|a few|several|couple of) (small |other |more )?(things|points|questions|requests|remarks|issues|ideas)\b/i
export const LISTED = /^\s*(?:[-*•–]|\(?\d{1,2}[.)])\s+(?=\S)/
export const QUOTED = /^\s*>|^on .{5,60} wrote:$|^am .{5,60} schrieb .*:$|^-{2,}\s*$|^_{5,}/i

// What surrounds its name in a sentence: see `wording.ts`.
/** What people put before the thing they want or miss. */
export const LEAD_INS = [
  /^(not urgent|no hurry|(small|minor) thing|nicht dringend)\b[,:]? (but |aber )?/i,
  /^[^.!?]{0,20}\b(love|like|great|nice|good|useful|super|toll\w*|gut\w*|schön\w*|genial|bien|bella?|mooi)\b[^.!?]{0,30}? (but|aber|pero|mais|ma|maar)\s+/i,
  /^((hi|hello|hey|dear|hallo|hola|bonjour|ciao)\b[^,.!?]{0,20}[,.!?]\s*)+/i,
  /^(please|kindly|pls|so|well|urgent|ok(ay)?|also|and|but|anyway|just|sorry|help|then|bitte)\b[,:!]?\s+/i,
  /^(it )?(would|'d) be (really |very |so )?(great|nice|good|helpful|cool|useful|handy) (if (you|we|i) could |if |to (have |be able to |see )?|having )/i,
  /^(i|we)('d| would) (really )?(love|like|want|need) (to (have|see|be able to)|it if) /i,
  /^(i|we)('d| would) (really )?(love|like) to /i,
  /^(i|we) (really )?(want|need|wish|think|hope|believe|guess)( to( be able to)?| that)? /i,
  /^(is it possible to|would it be possible to|is there (a|any) (way|option|chance)( to)?|are there (any )?plans (for|to)|any plans (for|to)|can (i|we|you)|could you|how (do|can) (i|we)|how to|where (do|can) (i|we)|(can|could) you (please )?)( please)? /i,
  /^(i|we) (just )?(tried|try|noticed|found|see|saw|realized)( to| that)? /i,
  /^(let us|let me|allow us to|allow me to) /i,
]
export const THANKS_AFTER =
  /[\s,]*(\b((would|could) (really )?(be|make) (great|nice|good|helpful|cool|useful|handy|perfect)|wäre (toll|super|schön|gut|praktisch)|sería (genial|útil)|serait (bien|super|pratique)|please|help|thanks|thank you|thx|pls|asap|bitte|danke|svp|por favor|per favore)\b[\s,.!]*)*[.!…。]*$/i
export const SINCE =
  /[\s,]+(since (yesterday|this morning|today|last \w+|\w+day|the (last )?update)|at the moment|seit (gestern|heute))$/i
export const CLAUSE =
  /[,;:(–]\s|\s-\s|\.{2,}|[.!?]\s|\b(?:because|although|even though|but|so that|which|weil|obwohl|aber|aunque|porque|parce que|mais|perché)\b/
/** Says when, not what. */
export const WHEN =
  /^(when|if|after|since|while|as soon as|every time|wenn|seit|cuando|desde|quand|depuis|quando|als)\b/i
/** Where a new thought begins, and where a thing is only described further. */
export const JOINT =
  /\s(that|because|as soon as|once|until|whenever|when|after|before|if|while|and|dass|sobald|wenn|nachdem|und|cuando|porque|quand|parce|quando|perché|als)\s/gi
export const SEAM = /\s(for|with|without|from|on|in|to|für|mit|ohne|para|con|pour|avec|per|met|voor)\s/gi
export const DANGLING =
  /(\s(a|an|the|my|our|of|to|and|or|in|on|with|der|die|das|ein|eine|und|la|el|los|las|en|de|y|le|les|des|et|il|lo|di|e|o|um|het|een|van))+$/i
