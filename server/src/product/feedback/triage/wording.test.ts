import { beforeAll, describe, expect, it } from 'vitest'
import { type FeatureReader, loadFeatureReader } from '../../../engines/meaning/feature-reader.ts'
import { isAdvertising, priorityOf, typeOf } from './cues.ts'
import { mattersOf } from './matters.ts'
import { PRAISE } from './phrases.ts'
import { joinedBecause, openedBecause, titleFrom } from './wording.ts'

let reader: FeatureReader
beforeAll(async () => {
  reader = await loadFeatureReader(new URL('../../../../assets/', import.meta.url))
})
const saying = (text: string) => ({ text, terms: reader.terms(text) })

describe('the type follows from what is asked', () => {
  it.each([
    ['The app crashes when I open it', 'bug'],
    ['My refund has not arrived', 'bug'],
    ['Notifications come an hour late', 'bug'],
    ['Double charge', 'bug'],
    ['The sensor loses its Bluetooth connection every night', 'bug'],
    ['Die App stürzt beim Öffnen ab', 'bug'],
    ['search is really slow with many records', 'performance'],
    ['la tienda tarda muchísimo en cargar', 'performance'],
    ['Please add a dark mode', 'feature_request'],
    ['Modo oscuro, por favor', 'feature_request'],
    ['permission settings are confusing', 'improvement'],
    ['How do I export my data?', 'question'],
    ['Would it be possible to set a due date per customer?', 'feature_request'],
    ['The app logs me out every ten minutes, super annoying', 'bug'],
    ['Tolles Programm, aber die Suche findet nichts', 'bug'],
    ['I love it', 'other'],
    ['Wo trage ich die Kaution ein?', 'question'],
    ['Do you support single sign-on? Our IT will not approve it otherwise', 'question'],
    ['Upload does not work', 'bug'],
    ["The app won't let me save", 'bug'],
    ['Every report is shifted by one day', 'bug'],
    ['Subtasks, please! My lists are long', 'feature_request'],
    ['Due dates should appear in the calendar', 'feature_request'],
  ])('%s: %s', (text, type) => {
    expect(typeOf(saying(text))).toBe(type)
  })
})

describe('the priority follows from the harm', () => {
  it.each([
    ["I can see another customer's address in my account", 'urgent'],
    ['Kundin sieht fremde Bestellungen in ihrem Konto', 'urgent'],
    ['A tenant sees documents of another tenant in the portal', 'urgent'],
    ['all my notes are gone', 'urgent'],
    ['Your last update deleted all my drafts', 'urgent'],
    ['Security: links to reset a password never expire', 'urgent'],
    ['App quits when uploading pictures', 'high'],
    ['Nobody can log in since 9am', 'urgent'],
    ['I was charged twice', 'high'],
    ['The app crashes when I open it', 'high'],
    ['The total is wrong', 'medium'],
    ['Notifications come an hour late', 'medium'],
    ['Freiberufler sehen alle Gehälter, ein Datenschutzproblem', 'urgent'],
    ['I saw the list of somebody called Miriam', 'urgent'],
    ['Widzę listę zadań obcej osoby, co to ma być?', 'urgent'],
    ['se han borrado todos los proyectos', 'urgent'],
    ['We were billed for 25 seats but there are only 18 of us', 'high'],
    ['The file lands in the folder of another person', 'medium'],
    ["There's no undo, I moved it by accident", 'medium'],
    ['The whole thing is unusable since the update', 'medium'],
    ['Our daily rates are visible to freelancers', 'urgent'],
    ['Are you GDPR compliant?', 'low'],
    ['We have to show your privacy policy to our auditor, where is it?', 'low'],
    ['Show our daily rates on the invoice', 'low'],
    ['Right now I use a spreadsheet for this', 'low'],
    ['A dark theme would be nice', 'low'],
  ])('%s: %s', (text, priority) => {
    expect(priorityOf(saying(text), typeOf(saying(text)))).toBe(priority)
  })
})

describe('advertising and praise', () => {
  it.each(['Rank #1 on Google! Our agency offers SEO, reply for a free audit', 'CASINO BONUS 200% www.spins.example'])(
    '%s is advertising',
    (text) => expect(isAdvertising(text)).toBe(true),
  )
  it.each([
    'The meta description for Google cannot be edited',
    'your newsletter link www.example.com is broken',
    'Our agency has 40 people: can we get an export like https://example.com/x?',
    'The price list at https://example.com/prices is not up to date',
    'Cannot claim the discount code on https://example.com/checkout',
    'The list of followers is empty, see https://example.com/1.png',
  ])('%s is not', (text) => expect(isAdvertising(text)).toBe(false))
  it.each(['I love it', 'Danke, weiter so', 'très bien', '最高です'])('%s is praise', (text) => {
    expect(PRAISE.test(text)).toBe(true)
  })
})

describe('matters', () => {
  const matters = (text: string) => mattersOf(text, (sentence) => typeOf(saying(sentence)) !== 'other')

  it('of a mail with three requests are three, without its politeness', () => {
    const text = `Hi all,

thanks for the call last week, it was good to meet you. Here is our list:

1. The clock should pause when we wait for the customer.
2. Bulk actions for closing tickets.
3. A dark mode, half the team works at night.

Looking forward to hearing from you.

Best wishes
Hanna`
    expect(matters(text)).toEqual([
      'The clock should pause when we wait for the customer.',
      'Bulk actions for closing tickets.',
      'A dark mode, half the team works at night.',
    ])
  })

  it('that follow each other in prose are told apart', () => {
    const text =
      'Hello, hope you are well! We still have not received the payout of last week. Also, several customers got no order confirmation. Cheers, Ruth'
    expect(matters(text)).toEqual([
      'We still have not received the payout of last week.',
      'several customers got no order confirmation.',
    ])
  })

  it('do not include the sentence that announces them', () => {
    const text =
      "Hi team, two things came up that I'd like to mention. First, changes take a day to reach my phone. And finally I'd love to have subtasks, because my projects grow."
    expect(matters(text)).toEqual([
      'changes take a day to reach my phone.',
      "I'd love to have subtasks, because my projects grow.",
    ])
  })

  it('do not contain the signature, however the mail ends', () => {
    const mail = (closing: string) =>
      `Hello,\n\n- search is very slow\n- please let me export my list\n\n${closing}\nBea Lindner`
    for (const closing of ['Thanks and kind regards', 'Thank you and best wishes,', 'Viele Grüße', 'Cordialement'])
      expect(matters(mail(closing))).toEqual(['search is very slow', 'please let me export my list'])
  })

  it('of a short report is one', () => {
    expect(matters('The timer stops when the screen locks. Burnt my rice twice now!!')).toHaveLength(1)
  })
})

describe('titleFrom', () => {
  const title = (text: string) => titleFrom(text, (sentence) => typeOf(saying(sentence)))

  it.each([
    ['please add a dark mode', 'Add a dark mode'],
    ['Hi team, my refund has not arrived, thanks!', 'My refund has not arrived'],
    ['How do I export my data?', 'Export my data'],
    ['Right now I use a spreadsheet to track fertilizer. A fertilizer log would be great.', 'A fertilizer log'],
    [
      'Heating costs are split by number of people but our leases say by square metre',
      'Heating costs are split by number of people',
    ],
    ['Ordered to my old flat by mistake. Please let me change it.', 'Ordered to my old flat by mistake'],
    [
      'All my plants and their whole history disappeared after I logged in on my new phone',
      'All my plants and their whole history disappeared',
    ],
    ['Is there a Polish interface?', 'Is there a Polish interface?'],
    ['Tolles Programm, aber die Suche findet nichts', 'Die Suche findet nichts'],
    ['Not urgent, but the footer has a typo', 'The footer has a typo'],
    [
      'When I try to import my bank statement (CSV from the bank) I only get "unknown format" and nothing happens',
      'When I try to import my bank statement I only get unknown format',
    ],
    [
      'Every time I try to add a photo to a plant the app closes on my Pixel 8. Reinstalled twice, same thing.',
      'Every time I try to add a photo to a plant the app closes on my Pixel 8',
    ],
    [
      "Love the idea but the reminders come at 3 in the morning. Maybe it's the time zone?",
      'The reminders come at 3 in the morning',
    ],
    ['Great app! The widget shows the wrong day.', 'The widget shows the wrong day'],
    ['How do I cancel my subscription? I cannot find it in the settings.', 'Cancel my subscription'],
    ['I order every month. Please remember my card.', 'Remember my card'],
    ['Planned vs. tracked hours in one chart, please', 'Planned vs. tracked hours in one chart'],
    ['¿Se puede sincronizar con el calendario?', '¿Se puede sincronizar con el calendario?'],
    [
      "Tenants keep phoning because they can't see what happened to their repair request",
      "They can't see what happened to their repair request",
    ],
    [
      'It took me a phone call of 20 minutes to find out that the code on the back had worn off',
      'It took me a phone call of 20 minutes to find out',
    ],
    ['It would be great if you could round the time to 15 minutes', 'Round the time to 15 minutes'],
    [
      'When I open the app on my old tablet after a long time it takes a while, and then the whole screen stays white',
      'The whole screen stays white',
    ],
  ])('%s: %s', (text, expected) => {
    expect(title(text)).toBe(expected)
  })

  it('is short and does not end in the middle of a word', () => {
    const long = title(`${'wordwithoutend'.repeat(2)} ${'and another one '.repeat(20)}`)
    expect(long.length).toBeLessThanOrEqual(80)
    expect(long).not.toMatch(/\s$/)
  })
})

describe('a reason', () => {
  it('names what is shared and no theme, so it stays true', () => {
    expect(joinedBecause(['card', 'arrive'], 0.4123)).toBe('It shares *card*, *arrive* with what is there. Score 0.41.')
    expect(openedBecause(0)).toBe('Nothing like it was reported before.')
  })
})
